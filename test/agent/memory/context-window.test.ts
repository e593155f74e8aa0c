import { fitted, requestTokens } from "../../../src/agent/memory/context-window.ts";
import type { Model, ModelEvent, ModelMessage, ModelRequest } from "../../../src/agent/model/model.ts";
import { text } from "../../../src/plugins/define.ts";
import { call, calls, says } from "../../fakes/scripted-model.ts";
import { agent, tool } from "../setup.ts";

const words = (count: number) => "word ".repeat(count);
const history = (count: number): ModelMessage[] =>
  Array.from({ length: count }, (_, at) => ({ role: at % 2 === 0 ? "user" : "assistant", content: `${at}: ${words(200)}` }));
const question: ModelMessage = { role: "user", content: "What is our leave?" };
const step = (...sizes: readonly number[]): ModelMessage[] => [
  { role: "assistant", content: "", toolCalls: sizes.map((_, at) => call("search", { at }, `c${at}`)) },
  ...sizes.map(
    (size, at): ModelMessage => ({ role: "tool", callId: `c${at}`, name: "search", content: `[${at + 1}] Title\n"""${words(size)}"""` }),
  ),
];
const requestOf = (messages: readonly ModelMessage[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  system: "You are Footnote.",
  messages,
  tools: [{ name: "search", description: "Searches.", parameters: { type: "object", properties: {} } }],
  toolChoice: "auto",
  maxOutputTokens: 8_000,
  ...more,
});
/** Ids of calls and of results, in order: each result must stand behind its call. */
const pairs = (messages: readonly ModelMessage[]) =>
  messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : message.role === "tool" ? [message.callId] : [],
  );

describe("a request made to fit", () => {
  test("stays as it is when it fits, and when no window is known", () => {
    const request = requestOf([...history(6), question]);
    expect(fitted(request, 128_000, 6)).toEqual(request);
    expect(fitted(request, undefined, 6)).toBe(request);
  });

  test("leaves room for the reply", () => {
    expect(fitted(requestOf([question]), 4_000, 0).maxOutputTokens).toBe(1_000);
  });

  test.each([2_000, 4_000, 8_000, 16_000])("fits into %i tokens, whatever is long", (window) => {
    for (const messages of [
      [...history(60), question],
      [...history(60), question, ...step(3_000, 20), ...step(9_000)],
      [...history(1), { role: "user", content: words(20_000) } as const],
      [...history(20), question, ...step(...Array.from({ length: 24 }, () => 800))],
    ]) {
      const at = messages.findLastIndex(({ role }) => role === "user");
      const made = fitted(requestOf(messages), window, at);
      const least = pairs(messages).length * 150;
      expect(requestTokens(made)).toBeLessThanOrEqual(Math.max(window - (made.maxOutputTokens ?? 0), least));
      expect(pairs(made.messages)).toEqual(pairs(messages));
      expect(made.messages[0]?.role).toBe("user");
    }
  });

  test("the oldest messages go first; the question and all results stay", () => {
    const { messages } = fitted(requestOf([...history(20), question, ...step(300)]), 4_000, 20);
    expect(messages).toContainEqual(question);
    expect(messages.at(-1)).toEqual(step(300).at(-1));
    expect(messages[0]?.content).not.toMatch(/^0:/);
    expect(messages.at(-4)?.content).toMatch(/^19:/);
  });

  test("the longest results give way before the short ones, with a visible mark, and close their quotes", () => {
    const { messages } = fitted(requestOf([question, ...step(20, 9_000)]), 4_000, 0);
    const [short, long] = messages.filter(({ role }) => role === "tool");
    expect(short).toEqual(step(20, 9_000)[1]);
    expect(long?.content).toMatch(/\[cut here: \d+ more characters\]\n"""$/);
  });

  test("a question that alone is too long is cut", () => {
    const { messages } = fitted(requestOf([{ role: "user", content: words(20_000) }]), 4_000, 0);
    expect(messages[0]?.content).toContain("[cut here");
  });
});

describe("a model that refuses a request as too long", () => {
  const tooLong = (contextTokens?: number): readonly ModelEvent[] => [
    {
      type: "model-error",
      error: { code: "context-length", message: "too long", retryable: false, ...(contextTokens && { contextTokens }) },
    },
  ];
  /** Refuses what is longer than its window, which it may name. */
  function narrow(window: number, tells: boolean) {
    const requests: ModelRequest[] = [];
    const model: Model = {
      name: "narrow",
      async *stream(request) {
        requests.push(request);
        if (requestTokens(request) + (request.maxOutputTokens ?? 0) > window) yield* tooLong(tells ? window : undefined);
        else if (request.messages.some(({ role }) => role === "tool")) yield* says("26 weeks [1].");
        else yield* calls(call("query_documents", { query: "leave" }));
      },
    };
    return { model, requests };
  }
  const long = tool("query_documents", async () => text(`1 passage found.\n${words(12_000)}`));

  test("is asked again with shorter results, to the window it names, and answers", async () => {
    const { model, requests } = narrow(9_500, true);
    expect(await agent({ model, tools: [long] }).ask()).toMatchObject({ status: "answered", text: "26 weeks." });
    expect(requests).toHaveLength(3);
    expect(pairs(requests[2]?.messages ?? [])).toHaveLength(2);
  });

  test("is asked again with half, when it names no window", async () => {
    const { model, requests } = narrow(12_000, false);
    expect(await agent({ model, tools: [long] }).ask()).toMatchObject({ status: "answered" });
    expect(requests).toHaveLength(3);
  });

  test("is asked once more, not for ever: then the passages are quoted", async () => {
    let asked = 0;
    const model: Model = {
      name: "m",
      async *stream() {
        asked += 1;
        yield* tooLong();
      },
    };
    expect((await agent({ model, tools: [long] }).ask()).status).toBe("fallback");
    expect(asked).toBe(2);
  });

  test("whose window is known is never sent more", async () => {
    const { model, requests } = narrow(9_500, true);
    expect((await agent({ model: { ...model, contextTokens: 9_500 }, tools: [long] }).ask()).status).toBe("answered");
    expect(requests).toHaveLength(2);
  });
});
