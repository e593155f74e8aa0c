import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { systemClock } from "../../src/core/clock.ts";
import type { TenantId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { everyone } from "../../src/core/principal.ts";
import { createLibrary } from "../../src/knowledge/create-library.ts";
import { localEmbedder } from "../../src/knowledge/embedder/local.ts";
import { createIngestion } from "../../src/knowledge/ingest/pipeline.ts";
import { CONFIDENT_SCORE, RELEVANCE_FLOOR } from "../../src/knowledge/library.ts";
import { directExtractor, type KnowledgeFixture, openKnowledge } from "./knowledge-fixture.ts";

const handbook = `# Handbook

## Parental leave
Each parent takes sixteen weeks at full pay after the birth or adoption of a child. Tell the people team eight weeks before.

## Holidays
Full-time employees have 26 days of annual leave a year. Up to five unused days move to the next year until the end of March.

## Sick leave
If you are ill, tell your lead before ten o'clock. From the fourth day on a note from a doctor is needed.

## Expenses
File receipts within thirty days. Taxis are refunded when no bus or train runs. Meals abroad are refunded up to 55 euro a day.

## Travel
Book trains and flights through the travel desk two weeks ahead. Flights under six hours are in economy class.

## Lost devices
Report a lost or stolen laptop or phone to the security desk at once. They lock it and bring a spare.

## Working from home
You may work from home three days a week. A desk, a chair and 400 euro for equipment are paid once.

## Performance reviews
Reviews take place in March and September with your lead. Two colleagues of your choice write feedback.

## Notice
During probation the notice period is two weeks, afterwards two months to the end of a month.
`;

describe("what the documents hold and what they do not (built-in model)", () => {
  const embedder = localEmbedder();
  let knowledge: KnowledgeFixture;
  let tenant: TenantId;
  beforeAll(async () => {
    knowledge = await openKnowledge("embedded");
    tenant = await knowledge.test.addTenant();
    const { storage } = knowledge;
    const ingestion = createIngestion({
      storage,
      embedder: () => embedder,
      extractor: directExtractor,
      clock: systemClock,
      log: silentLogger,
    });
    const files = [{ name: "handbook.md", bytes: Buffer.from(handbook), sourceUri: "test:handbook" }];
    await ingestion.ingest({ files }, { tenant, grants: [everyone], signal: new AbortController().signal });
  });
  afterAll(async () => {
    await embedder.close();
    await knowledge.test.close();
  });

  const ask = async (question: string) => {
    const library = createLibrary({ storage: knowledge.storage, embedder: () => embedder, log: silentLogger }).forTenant(tenant);
    return (await library.hybrid(question, { principals: [everyone], limit: 5, signal: new AbortController().signal })).hits;
  };

  test.each([
    ["What is our parental leave?", "Parental leave"],
    ["How many vacation days do I get?", "Holidays"],
    ["When do I need a doctor's note?", "Sick leave"],
    ["Can I get my money back for a taxi?", "Expenses"],
    ["My laptop was stolen, whom do I call?", "Lost devices"],
    ["May I work from home on Fridays?", "Working from home"],
    ["When are the performance reviews?", "Performance reviews"],
    ["What is the notice period?", "Notice"],
  ])("%s is answered from %s, with confidence", async (question, heading) => {
    const [best] = await ask(question);
    expect(best?.heading).toBe(heading);
    expect(best?.score).toBeGreaterThanOrEqual(CONFIDENT_SCORE);
  });

  test.each([
    "What is the capital of Mongolia?",
    "How do I bake sourdough bread?",
    "Who won the world cup in 2018?",
    "What is the boiling point of nitrogen?",
    "Explain quantum entanglement",
    "Which planets have rings?",
    "What did Shakespeare write?",
    "How do I configure a Kubernetes ingress?",
  ])("%s is not answered with confidence", async (question) => {
    const hits = await ask(question);
    expect(hits.length).toBeLessThanOrEqual(2);
    for (const hit of hits) {
      expect(hit.score).toBeGreaterThanOrEqual(RELEVANCE_FLOOR);
      expect(hit.score).toBeLessThan(CONFIDENT_SCORE);
    }
  });
});
