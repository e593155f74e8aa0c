import { describe, expect, test } from "@jest/globals";
import type { PersonLogins } from "../../../src/agent/ports.ts";
import { text } from "../../../src/plugins/define.ts";
import { place } from "../../fakes/people.ts";
import { call, calls, ScriptedModel, says } from "../../fakes/scripted-model.ts";
import { agent, general, tool } from "../setup.ts";

/** A tool that needs a log-in of whoever asks, and a person who answers the link in one way. */
function setup(outcome: Awaited<ReturnType<PersonLogins["ask"]>> | "no way to ask", loggedIn = false) {
  const asked: unknown[] = [];
  let there = loggedIn;
  let ran = 0;
  const whoami = tool("whoami", async () => text(`Alice, call ${++ran}.`), {
    effect: "read-inside",
    login: { server: "tracker", title: "Tracker", ready: async () => there },
  });
  const logins: PersonLogins = {
    ask: async (question, at, _signal, told) => {
      asked.push({ person: question.person, ...at });
      told();
      there = outcome === "logged-in";
      return outcome === "no way to ask" ? "nobody" : outcome;
    },
  };
  const model = new ScriptedModel(calls(call("whoami")), says("You are Alice."));
  // In a channel a click would be needed, too.
  const places = [{ ...place("dm", "direct"), id: general.id }];
  const made = agent({ model, places, tools: [whoami], ports: outcome === "no way to ask" ? {} : { logins } });
  const result = () => made.events.flatMap((event) => (event.type === "tool-end" ? [event.result] : []))[0];
  return { ...made, asked, result, ran: () => ran };
}

describe("a question whose tool needs a log-in", () => {
  test("waits until whoever asked has logged in, says so meanwhile, and goes on by itself", async () => {
    const { ask, asked, events, ran, result } = setup("logged-in");
    await ask();
    expect(asked).toEqual([{ person: expect.any(String), server: "tracker", title: "Tracker" }]);
    expect(events).toContainEqual(expect.objectContaining({ type: "tool-progress", label: "Waiting for you to log in" }));
    expect([ran(), result()?.status]).toEqual([1, "success"]);
  });

  test("asks nobody who is logged in", async () => {
    const { ask, asked, ran } = setup("expired", true);
    await ask();
    expect([asked, ran()]).toEqual([[], 1]);
  });

  test.each([
    ["expired", "LOGIN_EXPIRED"],
    ["nobody", "LOGIN_NEEDED"],
    ["no way to ask", "LOGIN_NEEDED"],
  ] as const)("%s: the call is not made, and the answer says why", async (outcome, code) => {
    const { ask, ran, result } = setup(outcome);
    expect((await ask()).status).toBe("answered");
    expect([ran(), result()?.error?.code]).toEqual([0, code]);
  });
});
