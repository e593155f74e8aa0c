import { describe, expect, test } from "@jest/globals";
import type { ServiceQuestion } from "../../../src/plugins/contract.ts";
import { type Asker, answerTo } from "../../../src/plugins/mcp/elicitation.ts";
import { stillThere, withPatience } from "../../../src/plugins/mcp/patience.ts";
import { ManualClock } from "../../playground/manual-clock.ts";
import { closeAll, connectionTo, programServer } from "./fixture.ts";

afterEach(closeAll);

type Request = Parameters<typeof answerTo>[0];
const form = (properties: object, required: readonly string[] = [], message = "Delete 3 files?"): Request =>
  ({
    method: "elicitation/create",
    params: { mode: "form", message, requestedSchema: { type: "object", properties, required } },
  }) as Request;

const proposal = form({ really: { type: "boolean", default: true }, note: { type: "string" } }, ["really"]);

/** Somebody who answers each question in the same way; what they saw is kept. */
function person(confirms: boolean, filled: Readonly<Record<string, unknown>> = {}) {
  const seen: ServiceQuestion[] = [];
  const confirm: NonNullable<Asker["confirm"]> = async (question) => {
    seen.push(question);
    return confirms ? { ...question.values, ...filled } : undefined;
  };
  return { seen, asker: { confirm } };
}

describe("a server asks something in the middle of a call", () => {
  test("and gets what it proposed once its asker has confirmed exactly that", async () => {
    const { seen, asker } = person(true);
    expect(await answerTo(proposal, new Set([asker]))).toEqual({ action: "accept", content: { really: true } });
    expect(seen).toMatchObject([{ message: "Delete 3 files?", values: { really: true } }]);
  });

  test("and gets a no when they do not", async () => {
    expect(await answerTo(proposal, new Set([person(false).asker]))).toEqual({ action: "decline" });
  });

  test("T08: and nobody is asked when it is not clear whose call it belongs to", async () => {
    const [alice, bob] = [person(true), person(true)];
    expect(await answerTo(proposal, new Set([alice.asker, bob.asker]))).toEqual({ action: "cancel" });
    expect(await answerTo(proposal, new Set())).toEqual({ action: "cancel" });
    expect([...alice.seen, ...bob.seen]).toEqual([]);
  });

  test("and gets what its asker has filled in, in fields of the kinds that it names", async () => {
    const asks = form(
      {
        title: { type: "string", title: "Title of the issue" },
        urgent: { type: "boolean", default: false },
        team: { type: "string", enum: ["red", "blue"] },
        size: { type: "string", oneOf: [{ const: "s", title: "Small" }] },
        points: { type: "integer", description: "Points\u202e" },
      },
      ["title", "team"],
    );
    const { seen, asker } = person(true, { title: "Fix", team: "red" });
    expect(await answerTo(asks, new Set([asker]))).toEqual({ action: "accept", content: { urgent: false, title: "Fix", team: "red" } });
    expect(seen[0]?.fields).toEqual([
      { name: "title", label: "Title of the issue", kind: "text", required: true },
      { name: "urgent", label: "urgent", kind: "yes-no", required: false },
      { name: "team", label: "team", kind: "choice", required: true, options: ["red", "blue"] },
      { name: "size", label: "size", kind: "choice", required: false, options: ["s"] },
      { name: "points", label: "Points", kind: "integer", required: false },
    ]);
  });

  test("what they have taken out of the proposal is not sent; what no field holds is sent as it stands on the card", async () => {
    const asks = form({ note: { type: "string", default: "as proposed" }, many: { type: "array", default: ["a"] } }, ["many"]);
    const { asker } = person(true);
    const cleared: Asker = { confirm: async () => ({}) };
    expect(await answerTo(asks, new Set([cleared]))).toEqual({ action: "accept", content: { many: ["a"] } });
    expect(await answerTo(asks, new Set([asker]))).toEqual({ action: "accept", content: { note: "as proposed", many: ["a"] } });
  });

  test("over the wire, too: the protocol's client adds nothing of the proposal to it", async () => {
    const { content } = await connectionTo(programServer(["asks"])).call(
      { name: "elicit", description: "", inputSchema: {} },
      { value: "Which note?" },
      { signal: new AbortController().signal, progress: () => undefined, asker: { confirm: async () => ({}) } },
    );
    expect(content).toEqual([{ type: "text", text: JSON.stringify({ action: "accept", content: {} }) }]);
  });

  test.each([
    ["that needs what nobody can fill in here", form({ many: { type: "array", items: { enum: ["a"] } } }, ["many"])],
    ["with a field whose name nobody could read", form({ ["n".repeat(151)]: { type: "string" } }, ["n".repeat(151)])],
    [
      "with more fields than anybody reads",
      form(Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: "string" }]))),
    ],
    [
      "that leads to a web page",
      { method: "elicitation/create", params: { mode: "url", message: "Go", url: "https://evil.example", elicitationId: "1" } } as Request,
    ],
  ])("one %s is a no, unseen", async (_, request) => {
    const { seen, asker } = person(true);
    expect(await answerTo(request, new Set([asker]))).toEqual({ action: "decline" });
    expect(seen).toEqual([]);
  });

  test("T25: its words are short and hold nothing that people cannot see", async () => {
    const { seen, asker } = person(false);
    await answerTo(form({}, [], `Go\u{E0041}\u202E on ${"x".repeat(5_000)}`), new Set([asker]));
    expect(seen[0]?.message).toMatch(/^Go on x+…$/);
    expect(seen[0]?.message.length).toBeLessThanOrEqual(300);
  });
});

test("a server is not taken for silent while its asker thinks, but the call's whole time goes on", async () => {
  const clock = new ManualClock();
  let answer: (value: string) => void = () => undefined;
  const patience = { silenceMs: 60_000, totalMs: 300_000 };
  const call = (ms: number) =>
    withPatience(patience, clock, new AbortController().signal, async (_signal, news) =>
      stillThere(patience.silenceMs, clock, news, () => new Promise<string>((resolve) => (answer = resolve))),
    ).finally(() => expect(clock.monotonic()).toBeGreaterThanOrEqual(ms));
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5_000) {
      clock.advance(5_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const answered = call(200_000);
  await pass(200_000);
  answer("yes");
  expect(await answered).toBe("yes");
  const late = expect(call(500_000)).rejects.toThrow("too long");
  await pass(305_000);
  await late;
});
