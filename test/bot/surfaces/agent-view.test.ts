import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { SlackFailure } from "../../../src/bot/out/slack-failure.ts";
import { nameThread } from "../../../src/bot/turns/name-thread.ts";
import type { Prepared } from "../../../src/bot/turns/prepared.ts";
import type { StartedTurn } from "../../../src/bot/turns/turn-store.ts";
import { messageTs, newId, turnId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { MemoryDirectory } from "../../fakes/memory-directory.ts";
import { channel, person, place } from "../../fakes/people.ts";
import { Bench, cellar, hall, identities, member, owner } from "./surface-bench.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.open("embedded");
});
afterAll(() => bench.db.close());
beforeEach(() => bench.reset());

const direct = channel(`DM_${member.id}`);
const opened = async (who = member, viewing?: typeof hall) => {
  bench.surface.messagesOpened(bench.tenant, who.id, viewing);
  await bench.surface.drained();
  return bench.suggested;
};
/** Gives a channel an assistant with questions of its own. */
const withPrompts = async (where: string, suggestedPrompts: readonly string[]) => {
  const { templates } = await bench.desk(bench.tenant);
  const name = `asks-${where.toLowerCase().replace(/[^a-z]/g, "")}`;
  const template = { name, title: name, instructions: "", tools: {}, otherTools: "on", reply: "thread", suggestedPrompts } as const;
  await templates.apply(template, "operator");
  await bench.db.asOwner(
    `INSERT INTO channel_templates (tenant_id, channel_id, template) VALUES ('${bench.tenant}', '${where}', '${name}')`,
  );
};

describe("questions that are offered in the direct message", () => {
  test("are a few of our own, in the reader's language", async () => {
    await opened();
    bench.people = [{ ...member, locale: "de-DE" }];
    await opened();
    expect(bench.suggested).toEqual([
      { to: direct, title: "Ask, for instance", prompts: expect.arrayContaining(["Which documents do you have?"]) },
      { to: direct, title: "Frag zum Beispiel", prompts: expect.arrayContaining(["Welche Dokumente hast du?"]) },
    ]);
  });

  test("are those of its assistant, of the channel that somebody reads beside it rather, and never of one that they do not read", async () => {
    await withPrompts(direct, ["What is due?", "Who is away?", "3", "4", "5"]);
    await withPrompts(hall, ["What holds in the hall?"]);
    await withPrompts(cellar, ["What is in the cellar?"]);
    await opened();
    await opened(member, hall);
    await opened(member, cellar);
    await opened(owner, cellar);
    expect(bench.suggested.map(({ prompts }) => prompts)).toEqual([
      ["What is due?", "Who is away?", "3", "4"],
      ["What holds in the hall?"],
      ["What is due?", "Who is away?", "3", "4"],
      ["What is in the cellar?"],
    ]);
  });

  test.each(identities.map((who, index) => [who.name, "yyyynnn"[index] === "y", who] as const))("to the %s: %s", async (_, may, who) => {
    await opened(who);
    expect(bench.suggested).toHaveLength(may ? 1 : 0);
  });
});

describe("a thread of the direct message", () => {
  const ts = messageTs("1.000001");
  const named = async (
    turn: Partial<StartedTurn> = {},
    prepared: Prepared = { kind: "ask", text: "\n  How long is\t leave?\nAsking for a friend" },
    fails = false,
  ) => {
    const names: string[] = [];
    const question = {
      id: turnId(newId()),
      channel: direct,
      thread: ts,
      ts,
      person: member.id,
      text: "",
      earlierAttempts: 0,
      joinsThread: false,
    };
    await nameThread({ ...question, ...turn }, prepared, {
      directory: new MemoryDirectory([person("member")], [{ ...place("dm", "direct"), id: direct }, place("hall", "public")]),
      agentView: {
        nameThread: async (_channel, _thread, name) => {
          if (fails) throw new SlackFailure("refused", "invalid_thread_ts");
          names.push(name);
        },
      },
      log: silentLogger,
    });
    return names;
  };

  test("is named after the question that begins it", async () => {
    expect(await named()).toEqual(["How long is leave?"]);
    expect(await named({}, { kind: "ask", text: "why ".repeat(100) })).toEqual([
      expect.stringMatching(/^(why ){10,}why\u2026$|^(why ){10,}.{0,4}\u2026$/),
    ]);
  });
  test.each<[string, { readonly turn?: Partial<StartedTurn>; readonly prepared?: Prepared; readonly fails?: boolean }]>([
    ["a later question", { turn: { ts: messageTs("2.000001") } }],
    ["one that is worked on again", { turn: { earlierAttempts: 1 } }],
    ["one in a channel", { turn: { channel: hall } }],
    ["a place that is not known", { turn: { channel: channel("nowhere") } }],
    ["a counter-question", { prepared: { kind: "reply", text: "What is it?" } }],
    ["a name that Slack refuses", { fails: true }],
  ])("keeps its name: %s", async (_, { turn, prepared, fails }) => expect(await named(turn, prepared, fails)).toEqual([]));
});
