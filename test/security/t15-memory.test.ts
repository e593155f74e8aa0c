import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { defaultLimits } from "../../src/agent/limits.ts";
import { conversation } from "../../src/agent/memory/history.ts";
import type { ThreadMessage } from "../../src/agent/ports.ts";
import { type ChannelId, type MessageTs, messageTs, newId, type TenantId } from "../../src/core/ids.ts";
import { ThreadSummaryRepository } from "../../src/store/repositories/thread-summaries.ts";
import { ThreadRepository } from "../../src/store/repositories/threads.ts";
import { TurnChangeRepository } from "../../src/store/repositories/turn-changes.ts";
import { MemoryDirectory } from "../fakes/memory-directory.ts";
import { channel, person } from "../fakes/people.ts";
import { openTestDatabase, type TestDatabase } from "../fakes/test-database.ts";

const [alice, bob] = [person("alice"), person("bob")];
/** The same moment in every place: threads are told apart by where they are. */
const thread = messageTs("1.000000");
const [direct, hall] = [channel("DM_ALICE"), channel("hall")];

let db: TestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db.close());

const memory = (tenant: TenantId) => ({
  threads: new ThreadRepository(db.database.forTenant(tenant), tenant),
  summaries: new ThreadSummaryRepository(db.database.forTenant(tenant), tenant),
  directory: new MemoryDirectory([alice, bob], []),
});

/** Two hundred messages of one place, one of which holds its secret. */
async function longThread(tenant: TenantId, where: ChannelId, secret: string): Promise<void> {
  const messages = Array.from({ length: 200 }, (_, at): ThreadMessage => {
    const ts = messageTs(`${at + 1}.000000`);
    const text = at === 20 ? `The word is ${secret}.` : `message ${at}`;
    return at % 2 === 0 ? { ts, author: "person", person: at % 4 === 0 ? alice.id : bob.id, text } : { ts, author: "assistant", text };
  });
  await memory(tenant).threads.add(where, thread, messages);
}

/** All that the model reads when somebody goes on there; its summary leaves nothing out. */
async function read(tenant: TenantId, where: ChannelId, ts: MessageTs = messageTs("900.000000")): Promise<string> {
  const question = { tenant, person: alice.id, channel: where, thread, message: ts, text: "Continue." };
  const verbatim = async (messages: readonly string[], earlier: string | undefined) => [earlier ?? "", ...messages].join("\n");
  return JSON.stringify(await conversation(question, memory(tenant), defaultLimits, verbatim));
}

describe("T15: what a long thread says is remembered in that place alone, summarised or not", () => {
  test("neither another place of the workspace nor the same place of another one reads it, and no summary holds it", async () => {
    const [ours, theirs] = [await db.addTenant(), await db.addTenant()];
    const places = [
      [ours, direct, "canary-marigold"],
      [ours, hall, "canary-tansy"],
      [theirs, direct, "canary-sorrel"],
      [theirs, hall, "canary-yarrow"],
    ] as const;
    for (const [tenant, where, secret] of places) await longThread(tenant, where, secret);
    for (const [tenant, where, secret] of places) {
      expect((await read(tenant, where)).match(/canary-\w+/g)).toEqual([secret]);
      const summary = await memory(tenant).summaries.find(where, thread);
      expect(summary?.text.match(/canary-\w+/g)).toEqual([secret]);
    }
  });

  test("a message that its author takes back, or writes anew, is in no summary any more", async () => {
    for (const how of ["removed", "edited"]) {
      const tenant = await db.addTenant();
      await longThread(tenant, hall, "canary-marigold");
      expect(await read(tenant, hall)).toContain("canary-marigold");
      const changes = new TurnChangeRepository(db.database.forTenant(tenant), tenant);
      const message = { channel: hall, ts: messageTs("21.000000"), thread, person: alice.id };
      const limits = { perThread: 4, perTenant: 100, total: 1_000 };
      if (how === "removed") await changes.remove({ ...message, eventId: newId() });
      else await changes.edit({ ...message, text: "Nothing.", editedTs: messageTs("950.000000"), awaited: false }, limits);
      const after = await read(tenant, hall, messageTs("960.000000"));
      expect(after).not.toContain("canary-marigold");
      expect(after).toContain("message 19");
    }
  });
});
