import type { ModelMessage } from "../../../src/agent/model/model.ts";
import { OfflineAnswerer } from "../../../src/agent/model/offline.ts";
import { collect } from "./collect.ts";

/** What the offline answerer says when both searches have found this one passage. */
async function answer(question: string, relevance: number, passage: string): Promise<string> {
  const source = `[1] Handbook, page 3 · Parental leave\npassage_id: p1, document_id: d1, relevance: ${relevance.toFixed(2)}\n"""${passage}"""`;
  const search = { id: "s", name: "query_documents", params: { query: question } };
  const messages: ModelMessage[] = [
    { role: "user", content: question },
    { role: "assistant", content: "", toolCalls: [search] },
    { role: "tool", callId: "s", name: "query_documents", content: `1 passage found.\n\n${source}` },
  ];
  const request = { system: "", messages, tools: [], toolChoice: "none" } as const;
  return (await collect(new OfflineAnswerer().stream(request, new AbortController().signal))).text;
}

const passage = "Parental leave is 18 weeks at full pay. It can be taken in up to three blocks during the first year.";
const uncertain = "Your documents may not answer this exactly.";

test("a passage that the search is sure of and that has the question's words is an answer", async () => {
  expect(await answer("How long is parental leave?", 0.8, passage)).toMatch(
    /^From your documents:\n\nParental leave is 18 weeks at full pay\. \[1\]/,
  );
});

test("a best hit below the search's line of confidence is shown as uncertain, with its source", async () => {
  const text = await answer("How long is parental leave?", 0.54, passage);
  expect(text).toContain(uncertain);
  expect(text).toContain("18 weeks at full pay. [1]");
});

test("a passage close in meaning but with other words is shown as uncertain, with its source", async () => {
  const text = await answer("Can a dad divide his absence?", 0.62, passage);
  expect(text).toContain(uncertain);
  expect(text).toContain("[1]");
  expect(await answer("Can a dad divide his absence?", 0.57, passage)).toContain("I found no answer");
});

test("a passage about another person is no answer, however close in meaning", async () => {
  expect(await answer("What is the bonus of Alice Ames?", 0.62, "Bob's bonus is up to 5 % of salary.")).toContain("I found no answer");
});

test.each(["How long isn't parental leave?", "I'm asking how long parental leave's"])(
  "contractions are no words of their own: %s",
  async (question) => {
    expect(await answer(question, 0.8, passage)).toContain("From your documents:");
  },
);
