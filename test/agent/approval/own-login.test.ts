import { describe, expect, test } from "@jest/globals";
import type { CallToAllow, Permission } from "../../../src/agent/ports.ts";
import { messageTs } from "../../../src/core/ids.ts";
import type { Place } from "../../../src/permissions/directory.ts";
import type { ToolEffect } from "../../../src/plugins/contract.ts";
import { text } from "../../../src/plugins/define.ts";
import { person, place } from "../../fakes/people.ts";
import { call, calls, ScriptedModel, says } from "../../fakes/scripted-model.ts";
import { agent, tool } from "../setup.ts";

/** Alice asks for what only she may see, then a page is opened; she clicks on every card, or on none. */
async function ask(where: Place, { clicks = true, effect = "read-inside" as ToolEffect, role = "member" as "member" | "guest" } = {}) {
  const cards: CallToAllow[] = [];
  const ran: string[] = [];
  const runs = (name: string) => async () => {
    ran.push(name);
    return text(`Result of ${name}.`);
  };
  const mine = tool("my_mail", runs("my_mail"), { effect, login: { server: "mail", title: "Mail", ready: async () => true } });
  const page = tool("open_page", runs("open_page"), { effect: "read-outside", opensAddress: () => "https://asked.example/" });
  const allowed: Permission = { verdict: "allowed", begin: async () => true, finished: async () => undefined };
  const made = agent({
    model: new ScriptedModel(calls(call("my_mail")), calls(call("open_page")), says("Done.")),
    tools: [mine, page],
    people: [person("alice", { role })],
    places: [where],
    ports: {
      approvals: {
        ask: async (_question, card) => {
          cards.push(card);
          return clicks ? allowed : { verdict: "denied" };
        },
      },
    },
  });
  await made.ask({
    channel: where.id,
    message: messageTs("2.0"),
    thread: messageTs("1.0"),
    text: "Look at https://asked.example/ and my mail.",
  });
  const results = made.events.flatMap((event) => (event.type === "tool-end" ? [event.result] : []));
  return { cards, ran, results };
}

describe("what somebody gets with their own log-in", () => {
  test.each(["public", "private", "group"] as const)(
    "is read out in a %s conversation only after their click on a card that says so",
    async (kind) => {
      const asked = await ask(place("general", kind));
      expect(asked.cards[0]).toMatchObject({ tool: "my_mail", readByAll: true, mayRemember: true });
      expect(asked.ran).toContain("my_mail");
      const refused = await ask(place("general", kind), { clicks: false });
      expect(refused.ran).not.toContain("my_mail");
    },
  );

  test("needs no click in their direct message, where nobody reads along", async () => {
    const { ran, cards } = await ask(place("dm", "direct"), { clicks: false });
    expect(ran[0]).toBe("my_mail");
    expect(cards.map((card) => card.tool)).not.toContain("my_mail");
  });

  test.each<[string, Partial<Place>, "member" | "guest"]>([
    ["a guest reads along", { guests: "some" }, "member"],
    ["it is not known whether a guest does", { guests: "unknown" }, "member"],
    ["it is not known whether another organisation does", { outsiders: "unknown" }, "member"],
    ["a guest asks", {}, "guest"],
  ])("is never read out when %s, whoever clicks, and the answer says where to ask", async (_when, changes, role) => {
    const { ran, cards, results } = await ask(place("general", "public", changes), { role });
    expect(ran).not.toContain("my_mail");
    expect(cards.map((card) => card.tool)).not.toContain("my_mail");
    expect(results[0]).toMatchObject({
      status: "denied",
      error: { code: "NOT_BEFORE_OTHERS", message: expect.stringMatching(/direct message/) },
    });
  });

  test("reading outside with it is asked for, too, and what changes something each time", async () => {
    const outside = await ask(place("general", "public"), { effect: "read-outside" });
    expect(outside.cards[0]).toMatchObject({ tool: "my_mail", readByAll: true, mayRemember: true });
    const change = await ask(place("general", "public"), { effect: "side-effect" });
    expect(change.cards[0]).toMatchObject({ tool: "my_mail", readByAll: true, mayRemember: false });
  });

  test.each(["public", "direct"] as const)(
    "is private afterwards in a %s place: nothing goes out without a click, and onlookers do not see the arguments",
    async (kind) => {
      const { cards } = await ask(place("general", kind));
      expect(cards.at(-1)).toMatchObject({ tool: "open_page", confidential: true });
    },
  );

  test("its twin: when it was not read, a page that the asker named is opened without a click", async () => {
    const { cards, ran } = await ask(place("general", "public", { guests: "some" }));
    expect([cards, ran]).toEqual([[], ["open_page"]]);
  });
});
