import type { Model } from "../../../src/agent/model/model.ts";
import type { Approvals, CallToAllow, Permission } from "../../../src/agent/ports.ts";
import { messageTs } from "../../../src/core/ids.ts";
import type { Tool, ToolContext, WritingRequest } from "../../../src/plugins/contract.ts";
import { text } from "../../../src/plugins/define.ts";
import { call, calls, ScriptedModel, says } from "../../fakes/scripted-model.ts";
import { until } from "../../fakes/until.ts";
import { agent, type Setup, tool } from "../setup.ts";

type Verdict = Permission["verdict"];

/** A person who answers their cards in this order, the last answer again and again; what was shown is kept. */
function clicker(...verdicts: readonly Verdict[]) {
  const shown: CallToAllow[] = [];
  let begun = 0;
  const approvals: Approvals = {
    ask: async (_question, call) => {
      const verdict = verdicts[Math.min(shown.length, verdicts.length - 1)] ?? "denied";
      shown.push(call);
      const begin = async () => ++begun > 0;
      return verdict === "allowed" ? { verdict, begin, finished: async () => undefined } : { verdict };
    },
  };
  return { shown, approvals };
}

const request: WritingRequest = {
  system: "Be brief.",
  messages: [{ role: "user", content: "Sum it up: ferries leave at 18:40." }],
  maxTokens: 300,
};
const asking = { text: "What does the secret plan say?", message: messageTs("1.2") };

/** An answer that calls one tool of an external server, which asks for something in the middle; `gave`: what it got. */
function answering(body: (context: ToolContext) => Promise<unknown>, setup: Partial<Setup> = {}, more: Partial<Tool> = {}) {
  const gave: unknown[] = [];
  const work = tool(
    "tracker__work",
    async (_params, context) => {
      gave.push(await body(context));
      return text("Done.");
    },
    { effect: "read-inside", server: "Tracker", annotations: { title: "Tracker: work" }, ...more },
  );
  const model = new ScriptedModel(calls(call("tracker__work")), says("Ferries at 18:40."), says("It is done."));
  return { ...agent({ model, tools: [work], ...setup }), model, gave };
}

const writes = async ({ writeFor }: ToolContext) => writeFor?.(request);

describe("a server wants the model to write something", () => {
  test("it is asked for with the server's own words alone; both what goes to the model and what comes back are shown first", async () => {
    const { shown, approvals } = clicker("allowed");
    const { ask, model, gave, traces } = answering(writes, { ports: { approvals } });
    const answer = await ask(asking);
    expect(gave).toEqual([{ text: "Ferries at 18:40.", complete: true }]);
    expect(answer.text).toBe("It is done.");
    expect(shown).toMatchObject([
      { about: "model-request", server: "Tracker", tokens: 300, mayRemember: false, form: [] },
      { about: "model-reply", server: "Tracker", arguments: '{"text":"Ferries at 18:40."}', mayRemember: false, form: [] },
    ]);
    expect(JSON.parse(shown[0]?.arguments ?? "")).toEqual({ system: request.system, messages: request.messages });
    const sent = model.requests[1];
    expect(sent).toMatchObject({ tools: [], toolChoice: "none", maxOutputTokens: 300, messages: request.messages });
    expect(sent?.system).toContain("Be brief.");
    expect(JSON.stringify(sent)).not.toContain("secret plan");
    // It is counted like any other call of the model.
    expect(traces[0]?.entries.filter(({ kind }) => kind === "model").map((entry) => "finish" in entry && entry.finish)).toEqual([
      "done",
      "for a server: stop",
      "done",
    ]);
    expect(traces[0]).toMatchObject({ inputTokens: 30, outputTokens: 15 });
  });

  test.each(["denied", "expired", "nobody", "too-long"] as const)(
    "%s: the model is not called, and the server gets nothing",
    async (verdict) => {
      const { shown, approvals } = clicker(verdict);
      const { ask, model, gave } = answering(writes, { ports: { approvals } });
      await ask(asking);
      expect(gave).toEqual([undefined]);
      expect(shown).toHaveLength(1);
      expect(model.requests).toHaveLength(2);
    },
  );

  test.each(["denied", "expired"] as const)("what was written stays here when giving it back is %s", async (verdict) => {
    const { approvals } = clicker("allowed", verdict);
    const { ask, gave } = answering(writes, { ports: { approvals } });
    await ask(asking);
    expect(gave).toEqual([undefined]);
  });

  test("nothing is written twice for one click: who has begun it elsewhere has it", async () => {
    const approvals: Approvals = { ask: async () => ({ verdict: "allowed", begin: async () => false, finished: async () => undefined }) };
    const { ask, model, gave } = answering(writes, { ports: { approvals } });
    await ask(asking);
    expect(gave).toEqual([undefined]);
    expect(model.requests).toHaveLength(2);
  });

  test("where nobody can be asked, and in an answer without a model that writes, there is nothing of it", async () => {
    const nobody = answering(async ({ writeFor, confirm }) => [writeFor, confirm]);
    await nobody.ask(asking);
    expect(nobody.gave).toEqual([[undefined, undefined]]);
    const { shown, approvals } = clicker("allowed");
    const script = new ScriptedModel(calls(call("tracker__work")), says("It is done."));
    const quotes: Model = { name: "quotes", quotesOnly: true, stream: (asked, signal) => script.stream(asked, signal) };
    const quoting = answering(writes, { model: quotes, ports: { approvals } });
    await quoting.ask(asking);
    expect([quoting.gave, shown]).toEqual([[undefined], []]);
  });

  test("it may be as long as the server wants, 2,000 tokens, or what is left of the answer's budget, whichever is least", async () => {
    const bound = async (maxTokens: number, outputTokens: number) => {
      const { shown, approvals } = clicker("denied");
      const { ask } = answering(({ writeFor }) => Promise.resolve(writeFor?.({ ...request, maxTokens })), {
        ports: { approvals },
        limits: { outputTokens },
      });
      await ask(asking);
      return shown[0]?.tokens;
    };
    expect([await bound(300, 8_000), await bound(100_000, 8_000), await bound(300, 105), await bound(0, 8_000)]).toEqual([
      ...[300, 2_000, 100, undefined],
    ]);
  });

  test("an answer that is stopped while its asker is asked writes nothing", async () => {
    const stop = new AbortController();
    const approvals: Approvals = {
      ask: async (_question, _call, signal) => {
        const stopped = new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        stop.abort(new Error("stopped"));
        return stopped;
      },
    };
    const { ask, model } = answering(writes, { ports: { approvals } });
    expect((await ask(asking, stop.signal)).status).toBe("stopped");
    expect(model.requests).toHaveLength(1);
  });

  test("T13: what a server learned by somebody's own log-in is shown to them alone", async () => {
    const { shown, approvals } = clicker("allowed");
    const login = { server: "tracker", title: "Tracker", ready: async () => true };
    await answering(writes, { ports: { approvals } }, { login }).ask(asking);
    expect(shown.filter(({ about }) => about).map(({ confidential }) => confidential)).toEqual([true, true]);
    const open = clicker("allowed");
    await answering(writes, { ports: { approvals: open.approvals } }).ask(asking);
    expect(open.shown.map(({ confidential }) => confidential)).toEqual([false, false]);
  });
});

describe("questions in the middle of a call", () => {
  const question = { message: "Which one?", values: { note: "a" }, fields: [] };

  test("are put one at a time, however many the server has at once", async () => {
    const waiting: ((permission: Permission) => void)[] = [];
    const approvals: Approvals = { ask: () => new Promise((resolve) => waiting.push(resolve)) };
    const { ask, gave } = answering(({ confirm }) => Promise.all([confirm?.(question), confirm?.(question)]), { ports: { approvals } });
    const answer = ask(asking);
    const allow = { verdict: "allowed", begin: async () => true, finished: async () => undefined } as const;
    await until(() => waiting.length === 1);
    waiting[0]?.(allow);
    await until(() => waiting.length === 2);
    waiting[1]?.(allow);
    await answer;
    expect(gave).toEqual([[{ note: "a" }, { note: "a" }]]);
  });

  test("are five at most, and none after a no, whatever it is that the server wants then", async () => {
    const many = async ({ confirm, writeFor }: ToolContext) => {
      const given = [];
      for (let at = 0; at < 7; at++) given.push((await confirm?.(question)) !== undefined);
      return [...given, (await writeFor?.(request)) !== undefined];
    };
    const [yes, no] = [clicker("allowed"), clicker("allowed", "denied", "allowed")];
    const [patient, tired] = [yes, no].map(({ approvals }) => answering(many, { ports: { approvals } }));
    await patient?.ask(asking);
    await tired?.ask(asking);
    expect([yes.shown.length, no.shown.length]).toEqual([5, 2]);
    expect(tired?.gave).toEqual([[true, false, false, false, false, false, false, false]]);
  });

  test("end with their call, and when the server no longer wants to know: nobody clicks on what is over", async () => {
    const reasons: unknown[] = [];
    const approvals: Approvals = {
      ask: (_question, _call, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason.name);
            reject(signal.reason);
          }),
        ),
    };
    const left = answering(
      async ({ confirm }) => {
        void confirm?.(question).catch(() => undefined);
        await new Promise((resolve) => setImmediate(resolve));
      },
      { ports: { approvals } },
    );
    await left.ask(asking);
    const withdrawn = answering(
      async ({ confirm }) => {
        const gone = new AbortController();
        const asked = confirm?.(question, gone.signal).catch(() => "withdrawn");
        setImmediate(() => gone.abort());
        return asked;
      },
      { ports: { approvals } },
    );
    await withdrawn.ask(asking);
    expect(withdrawn.gave).toEqual(["withdrawn"]);
    expect(reasons).toEqual(["TimeoutError", "TimeoutError"]);
  });

  test("make a result that nobody else is given, however long the tool's results stay fresh", async () => {
    const ran = async (asks: boolean) => {
      const { approvals } = clicker("allowed");
      const model = new ScriptedModel(calls(call("tracker__work")), says("Once."), calls(call("tracker__work")), says("Twice."));
      const body = async ({ confirm }: ToolContext) => asks && confirm?.(question);
      const { ask, gave } = answering(body, { model, ports: { approvals } }, { freshMs: 600_000 });
      for (let times = 0; times < 2; times++) await ask(asking);
      return gave.length;
    };
    expect([await ran(true), await ran(false)]).toEqual([2, 1]);
  });
});
