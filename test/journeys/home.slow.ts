import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import type { View } from "../../playground/server/state.ts";
import { systemClock } from "../../src/core/clock.ts";
import { ModelServer } from "../fakes/model-server.ts";
import { answers, ask } from "./answer.ts";
import { type RunningApp, runApp } from "./running-app.ts";

/** Only ends what hangs: the machine may be busy. */
const limitMs = 120_000;
jest.setTimeout(5 * limitMs);

/** Asserts again until it holds: what is stored follows an acknowledgement a moment later. */
async function eventually(assertion: () => Promise<void>): Promise<void> {
  const end = systemClock.monotonic() + limitMs;
  for (;;) {
    try {
      return await assertion();
    } catch (failure) {
      if (systemClock.monotonic() > end) throw failure;
      await systemClock.sleep(100);
    }
  }
}

const alice = { workspace: "acme", as: "alice", channel: "general" };

describe.each(["socket", "http"] as const)("feedback and App Home over %s", (mode) => {
  let model: ModelServer;
  let running: RunningApp;
  beforeAll(async () => {
    model = await ModelServer.start((_, reply) => reply.say("Answered."));
    running = await runApp({ mode, modelUrl: model.url, documents: false });
  });
  afterAll(async () => {
    await running.stop();
    await model.stop();
  });

  const shown = (view: View | undefined) => JSON.stringify(view?.body ?? "");
  /** Somebody's Home once it holds the words. */
  const homeWith = (as: string, words: string) =>
    running.slack.waitFor(
      () => {
        const home = running.slack.screens.home({ workspace: "acme", as });
        return shown(home).includes(words) ? shown(home) : undefined;
      },
      { timeoutMs: limitMs },
    );

  test("a bad answer is complained of, and an admin finds the complaint in their Home; a member does not", async () => {
    const asking = { ...alice, as: "bob", question: "Is this any good?" };
    const { thread } = await ask(running.slack, asking, { timeoutMs: limitMs });
    const message = answers(running.slack, asking, thread).at(-1);
    const trace = /"down ([^"]+)"/.exec(JSON.stringify(message?.blocks))?.[1] ?? "";
    const click = { ...alice, as: "bob", ts: message?.ts ?? "", actionId: "rate_answer", value: `down ${trace}` };
    await running.slack.click(click);
    const { screens } = running.slack;
    await running.slack.waitFor(() => shown(screens.modals({ workspace: "acme", as: "bob" }).at(-1)).includes("What was wrong"), {
      timeoutMs: limitMs,
    });
    const values = { comment: { comment: { type: "plain_text_input", value: "It should name the page." } } };
    await screens.submit({ workspace: "acme", as: "bob", values });
    await running.slack.waitFor(() => screens.modals({ workspace: "acme", as: "bob" }).length === 0, { timeoutMs: limitMs });

    const complaint = { trace, channel: "general", down: 1, comments: [{ person: "bob", text: "It should name the page." }] };
    await eventually(async () =>
      expect((await running.app.operations.feedback({ workspace: "acme", limit: 5 })).answers).toEqual([
        expect.objectContaining(complaint),
      ]),
    );

    screens.openHome({ workspace: "acme", as: "bob" });
    const own = await homeWith("bob", "Is this any good?");
    expect(own).not.toContain("It should name the page.");
    screens.openHome({ workspace: "acme", as: "alice" });
    await homeWith("alice", "It should name the page.");
    expect(shown(screens.home({ workspace: "acme", as: "alice" }))).not.toContain("Is this any good?");
  });

  test("an admin chooses a channel's assistant from what the menu suggests; the channel has it at once", async () => {
    const before = running.slack.messages({ workspace: "acme", channel: "general" }).length;
    await running.slack.command({ ...alice, command: "/footnote", text: "template use general" });
    await running.slack.waitFor(() => running.slack.messages({ workspace: "acme", channel: "general" }).length > before);
    const { screens } = running.slack;
    screens.openHome({ workspace: "acme", as: "alice" });
    await homeWith("alice", "General assistant");
    const menu = { workspace: "acme", as: "alice", surface: "home", actionId: "channel_template" } as const;
    await eventually(async () =>
      expect(await screens.suggest({ ...menu, typed: "doc" })).toEqual([expect.objectContaining({ value: "document-analysis" })]),
    );
    await screens.click({ ...menu, value: "document-analysis" });
    await homeWith("alice", "Document analysis");
    expect(await screens.suggest({ ...menu, as: "alice", typed: "nothing like it" })).toEqual([]);
  });

  test("what reaches Slack is within its limits", () => expect(running.slack.problems).toEqual([]));
});
