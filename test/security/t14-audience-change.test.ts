import { describe, expect, test } from "@jest/globals";
import type { ModelRequest } from "../../src/agent/model/model.ts";
import { AudienceWatch } from "../../src/bot/audience/audience-watch.ts";
import type { Halt } from "../../src/bot/turns/halt.ts";
import { type ChannelId, channelId, newId, type PersonId, personId, tenantId, turnId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Directory, Person, Place } from "../../src/permissions/directory.ts";
import { text } from "../../src/plugins/define.ts";
import { agent, alice, general, tool } from "../agent/setup.ts";
import { person } from "../fakes/people.ts";
import { call, calls, ScriptedModel, says } from "../fakes/scripted-model.ts";

const canary = "canary-for-members";

/** A workspace in which the general channel's readers can change while an answer is made, and a tool that finds what they may all read. */
function changing(during: "tool" | "text" | "never", change: Partial<Place>) {
  let here: Place = general;
  const join = () => {
    here = { ...general, ...change };
  };
  const directory: Directory = {
    person: async () => alice,
    place: async () => here,
    channelsOf: async () => [general.id],
    findPerson: async () => undefined,
    findChannel: async () => undefined,
    directMessage: async () => channelId("D1"),
  };
  const search = tool("search", async (_, { audience }) => {
    if (during === "tool") join();
    return text(audience.principals.includes("everyone") ? `Found: ${canary}` : "Found: nothing");
  });
  const told = ({ messages }: ModelRequest) => JSON.stringify(messages.slice(1)).includes(canary);
  async function* answer(request: ModelRequest) {
    yield* [{ type: "text-delta", text: told(request) ? `It is ${canary}. ` : "I found nothing. " } as const];
    if (during === "text") join();
    yield* says("That is all.");
  }
  const find = calls(call("search"));
  return agent({ model: new ScriptedModel(find, answer, find, answer), tools: [search], ports: { directory } });
}

/** What readers saw at any time, and what stands there in the end. */
async function shown(during: "tool" | "text" | "never", change: Partial<Place>) {
  const { ask, events } = changing(during, change);
  const { text: last, status } = await ask({ text: "What is it?" });
  const writes = events.flatMap((event) =>
    event.type === "text-delta" ? [event.text] : event.type === "text-reset" ? ["(taken back)"] : [],
  );
  return { last, status, writes: writes.join(""), anew: events.some(({ type }) => type === "notice") };
}

const narrower: [string, Partial<Place>][] = [
  ["a guest reads along", { guests: "some" }],
  ["it is not known any more whether guests do", { guests: "unknown" }],
];

describe("T14: others read along while an answer is made", () => {
  test.each(narrower)("when %s before anything is written, nothing of what only members may see is written", async (_, change) => {
    const { last, writes, anew, status } = await shown("tool", change);
    expect([last, writes.includes(canary), anew, status]).toEqual(["I found nothing. That is all.", false, true, "answered"]);
  });

  test.each(narrower)("when %s in the middle of the text, it is taken back and the answer is begun anew", async (_, change) => {
    const { last, writes } = await shown("text", change);
    expect(writes).toMatch(new RegExp(`^It is ${canary}.*\\(taken back\\)I found nothing`, "s"));
    expect(last).not.toContain(canary);
  });

  test.each(["tool", "text"] as const)(
    "when another organisation does from the middle of a %s on, what was written gives way to a notice",
    async (during) => {
      const { last, writes, anew, status } = await shown(during, { outsiders: "some" });
      expect([last.includes(canary), anew, status]).toEqual([false, false, "error"]);
      expect(writes.replace(/^.*\(taken back\)/s, "")).toBe("");
    },
  );

  test.each<[string, Partial<Place>]>([
    ["nothing changes", {}],
    ["another member joins", { readers: 9 }],
  ])("when %s, the answer is written once and holds it", async (_, change) => {
    const { last, anew, writes } = await shown("tool", change);
    expect([last, anew, writes]).toEqual([`It is ${canary}. That is all.`, false, `It is ${canary}. That is all.`]);
  });
});

describe("T14: Slack says that somebody has joined", () => {
  async function afterJoin(who: Person | undefined, shared = false) {
    const turn = turnId(newId());
    const seen: { halted: Halt[]; forgotten: ChannelId[]; by: (PersonId | undefined)[] } = { halted: [], forgotten: [], by: [] };
    const watch = new AudienceWatch({
      directoryOf: async () => ({ person: async () => who, forget: (place) => void seen.forgotten.push(place) }),
      changesOf: () => ({
        restart: async (_, by) => {
          seen.by.push(by);
          return [turn];
        },
      }),
      turns: { halt: (_, halt) => void seen.halted.push(halt), nudge: () => undefined },
      log: silentLogger,
    });
    if (shared) await watch.shared(tenantId("t1"), general.id);
    else await watch.joined(tenantId("t1"), general.id, personId("U9"));
    expect(seen.forgotten).toEqual([general.id]);
    return seen.halted;
  }

  test.each([
    ["a guest", person("gina", { role: "guest" })],
    ["somebody of another organisation", person("olga", { role: "outsider" })],
    ["somebody Slack does not know", undefined],
  ])("%s: answers that are being written there begin anew", async (_, who) => expect(await afterJoin(who)).toEqual([{ kind: "replaced" }]));
  test("a channel that is shared with another organisation: the same", async () =>
    expect(await afterJoin(undefined, true)).toEqual([{ kind: "replaced" }]));
  test.each([
    ["a member", person("bob")],
    ["an admin", person("ada", { role: "admin" })],
    ["a bot", person("other", { isBot: true, role: "guest" })],
  ])("%s: they go on", async (_, who) => expect(await afterJoin(who)).toEqual([]));
});
