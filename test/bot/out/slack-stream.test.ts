import type { AgentEvent } from "../../../src/agent/events.ts";
import { AppError } from "../../../src/core/errors.ts";
import { messageTs, newId } from "../../../src/core/ids.ts";
import type { Source, ToolResult } from "../../../src/plugins/contract.ts";
import { longAnswer } from "./generated-answers.ts";
import { unescaped } from "./reading-slack.ts";
import { contextText, delta, end, MemoryJournal, StreamBench, sectionText, start, trace } from "./stream-bench.ts";

let bench: StreamBench;
afterEach(async () => {
  expect(bench.mistakes()).toEqual([]);
  await bench.slack.stop();
});

const pause = (ms: number) => bench.clock.sleep(ms);
const toolStart = (id: string, label: string): AgentEvent => ({
  type: "tool-start",
  label,
  call: { id, name: "query_documents", params: {} },
});
const toolEnd = (id: string, label: string, result: Partial<ToolResult> = {}): AgentEvent => ({
  type: "tool-end",
  label,
  call: { id, name: "query_documents", params: {} },
  ms: 420,
  result: { type: "text", content: "", status: "success", metadata: { count: 5 }, ...result },
});
const source = (more: Partial<Source> = {}): Source => ({
  id: "s",
  title: "Handbook",
  passage: "18 weeks",
  relevance: 0.92,
  page: 2,
  ...more,
});

/** A journal whose lease is another process's by now; that has posted these messages. */
class LostJournal extends MemoryJournal {
  override async note(): Promise<void> {
    throw new AppError("LEASE_LOST");
  }
}

describe("a message that arrives when another process writes the answer already", () => {
  test.each([
    ["is taken away when that one has posted its own, not having found it", (_ours: string) => messageTs("1.000001"), 0],
    ["stays when that one has found it and goes on with it", (ours: string) => messageTs(ours), 1],
    ["stays when that one has posted nothing yet: it will look for it", () => undefined, 1],
  ] as const)("%s", async (_name, theirs, left) => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const journal = new LostJournal();
    const posted = bench.slack.waitFor(() => bench.answers(target)[0]);
    const stream = bench.stream(target, {
      note: async () => {
        const ts = theirs((await posted).ts);
        if (ts) journal.noted[0] = ts;
        return journal.note();
      },
      posted: () => journal.posted(),
    });
    stream.write(start);
    await stream.settled();
    expect(bench.answers(target)).toHaveLength(left);
  });
});

describe("an answer in a thread", () => {
  test("a sign of life comes at once, then what is being done, then the text, then the sources", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write(start);
    await stream.settled();
    expect(contextText(bench.answers(target)[0]?.blocks ?? [])).toBe("On it \u2026");

    stream.write(toolStart("1", 'Searching the documents for "parental <!channel> leave"'));
    await stream.settled();
    expect(contextText(bench.answers(target)[0]?.blocks ?? [])).toBe(
      ':hourglass_flowing_sand: Searching the documents for "parental &lt;!channel&gt; leave" \u2026',
    );
    stream.write(toolEnd("1", 'Searching the documents for "parental leave"'));
    stream.write(delta("It is **18 we"));
    await stream.settled();
    expect(contextText(bench.answers(target)[0]?.blocks ?? [])).toBe(
      ':white_check_mark: Searching the documents for "parental leave" \u00B7 5 results \u00B7 0.4 s\nStill writing \u2026',
    );
    expect(bench.texts(target)).toEqual(["It is *18 we*"]);

    stream.write({ type: "sources-ready", sources: [{ n: 1, source: source(), url: "https://docs.test/p/1?a=1&b=2" }] });
    stream.write(end("It is **18 weeks** [1]."));
    await stream.settled();
    const [message] = bench.answers(target);
    expect(bench.texts(target)).toEqual([
      "It is *18 weeks* <https://docs.test/p/1?a=1&amp;b=2|[1]>.\n*Sources*\n<https://docs.test/p/1?a=1&amp;b=2|[1] Handbook, page 2> \u00B7 relevance 92 %",
    ]);
    expect(contextText(message?.blocks ?? [])).toContain(`Trace \`${trace}\``);
    expect(contextText(message?.blocks ?? [])).not.toContain("writing");
    expect(bench.answers(target).length).toBe(1);
    expect(message?.text).toContain("18 weeks");
    expect(message?.unfurls).toBe(false);
  });

  test("H5-STR-01: a model that is done before the first post is back gives one message with the final text", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.postMessage", hangMs: 300 });
    const target = bench.ask();
    const stream = bench.stream(target);
    for (const event of [start, delta("Hel"), delta("lo"), end("Hello")]) stream.write(event);
    await stream.settled();
    expect(bench.texts(target)).toEqual(["Hello"]);
    expect(bench.calls("chat.postMessage").length).toBe(1);
  });

  test("writing to the answer never waits for Slack", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "*", times: 3, hangMs: 300 });
    const stream = bench.stream(bench.ask());
    // All in one go: Slack has not answered a single call when the last word is written.
    for (let at = 0; at < 1_000; at++) expect(stream.write(delta(`word${at} `))).toBeUndefined();
    expect(bench.slack.calls.filter((call) => call.answeredAt !== undefined)).toEqual([]);
    stream.write(end("done"));
    await stream.settled();
  });

  test("H5-OPS-02: a draft that is slow to arrive cannot land after the final text", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write(start);
    await stream.settled();
    bench.slack.fail({ method: "chat.update", hangMs: 500 });
    stream.write(delta("old text "));
    await pause(50);
    stream.write(end("The final text."));
    await stream.settled();
    await pause(600);
    expect(bench.texts(target)).toEqual(["The final text."]);
    const edits = bench.calls("chat.update");
    for (const [at, call] of edits.entries()) if (at > 0) expect(call.at).toBeGreaterThanOrEqual(edits[at - 1]?.answeredAt ?? 0);
  });

  test("text is edited at most once in 750 ms, and the end does not wait for that", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write(start);
    for (let at = 0; at < 40; at++) {
      stream.write(delta(`word${at} `));
      await pause(40);
    }
    const before = bench.clock.monotonic();
    stream.write(end("All of it."));
    await stream.settled();
    expect(bench.clock.monotonic() - before).toBe(0);
    const times = (bench.answers(target)[0]?.revisions ?? []).slice(1, -1).map(({ at }) => at);
    for (const [at, time] of times.entries()) if (at > 0) expect(time - (times[at - 1] ?? 0)).toBeGreaterThanOrEqual(700);
    expect(times.length).toBeGreaterThanOrEqual(2);
  });

  test("after the end nothing changes any more", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write(end("Final."));
    await stream.settled();
    const late: AgentEvent[] = [delta("late"), { type: "notice", text: "late" }, end("late"), { type: "text-reset" }];
    for (const event of late) stream.write(event);
    await stream.settled();
    expect(bench.texts(target)).toEqual(["Final."]);
    expect(bench.answers(target)[0]?.revisions.length).toBe(1);
  });

  test("a stream that is closed writes nothing any more, not even what is waiting", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.postMessage", retryAfter: 1 });
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write(end("Too late."));
    await bench.slack.waitFor(() => bench.calls("chat.postMessage")[0]?.answeredAt !== undefined);
    stream.close();
    await stream.settled();
    await pause(1_500);
    expect(bench.answers(target)).toEqual([]);
  });

  test("a remark before tool calls is forgotten", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    for (const event of [start, delta("Let me look. "), { type: "text-reset" } as const, delta("Found it. ")]) stream.write(event);
    await stream.settled();
    expect(bench.texts(target)).toEqual(["Found it."]);
    stream.write(end("Found it."));
    await stream.settled();
    expect(bench.texts(target)).toEqual(["Found it."]);
  });

  test("H5-STR-06: sixty tool calls with long labels leave room for the answer", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write(start);
    for (let at = 0; at < 60; at++) stream.write(toolEnd(`${at}`, `Searching for ${"x".repeat(300)}`));
    stream.write(end("A short answer."));
    await stream.settled();
    expect(bench.texts(target)).toEqual(["A short answer."]);
    expect(contextText(bench.answers(target)[0]?.blocks ?? [])).toContain("55 earlier steps");
  });

  test("H5-STR-08: four answers at once keep to their own messages", async () => {
    bench = await StreamBench.open();
    const targets = [1, 2, 3, 4].map((at) => bench.ask("general", `question ${at}`));
    const streams = targets.map((target) => bench.stream(target));
    for (let round = 0; round < 5; round++) {
      for (const [at, stream] of streams.entries()) stream.write(delta(`answer${at} part${round} `));
      await pause(300);
    }
    for (const [at, stream] of streams.entries()) stream.write(end(`This is answer ${at}.`));
    await Promise.all(streams.map((stream) => stream.settled()));
    for (const [at, target] of targets.entries()) {
      expect(bench.texts(target)).toEqual([`This is answer ${at}.`]);
      for (const { text } of bench.answers(target)[0]?.revisions ?? [])
        expect(text).not.toMatch(new RegExp(`answer[^${at}\\d]*[${"0123".replace(String(at), "")}]`));
    }
  });
});

describe("how answers end", () => {
  test("an error shows its sentence, its id and a button that asks again; a refusal has no button", async () => {
    bench = await StreamBench.open();
    const [failed, refused] = [bench.ask(), bench.ask()];
    const first = bench.stream(failed);
    first.write(start);
    first.write({ type: "answer-error", code: "MODEL_FAILED", message: "The language model could not answer.", retryable: true });
    const second = bench.stream(refused);
    second.write({ type: "answer-error", code: "PERSON_DEACTIVATED", message: "This account is closed.", retryable: false });
    await Promise.all([first.settled(), second.settled()]);
    expect(bench.texts(failed)).toEqual([`The language model could not answer. Error id: \`${trace}\``]);
    const button = bench.answers(failed)[0]?.blocks.find((block) => block.type === "actions") as {
      elements: { action_id: string; value: string }[];
    };
    expect(button.elements[0]).toMatchObject({ action_id: "retry_turn", value: failed.turn });
    expect(bench.answers(refused)[0]?.blocks.some((block) => block.type === "actions")).toBe(false);
  });

  test.each<[string, AgentEvent, string, string]>([
    ["an empty answer", end("  "), "", "I have no answer to that"],
    ["a stopped answer", { type: "answer-stopped", text: "Half of" }, "Half of", "Stopped."],
    ["an answer at its limit", { type: "answer-end", text: "So far", outcome: "limited" }, "So far", "limit"],
  ])("%s replaces the sign of life and says so", async (_name, event, text, said) => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write(start);
    await stream.settled();
    stream.write(event);
    await stream.settled();
    expect(bench.texts(target)).toEqual([text]);
    expect(contextText(bench.answers(target)[0]?.blocks ?? [])).toContain(said);
    expect(contextText(bench.answers(target)[0]?.blocks ?? [])).not.toContain("On it");
  });

  test("a source that is named like a file is a link as a whole", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write({
      type: "sources-ready",
      sources: [{ n: 1, source: source({ title: "parental-leave.pdf", page: 3 }), url: "https://docs.test/1" }],
    });
    stream.write(end("Quoted [1]"));
    await stream.settled();
    expect(bench.texts(target)[0]).toContain("<https://docs.test/1|[1] parental-leave.pdf, page 3>");
  });

  test("notices are said once, and a document's title cannot become a link or a mention", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write({ type: "notice", text: "The model is not reachable; documents are quoted." });
    stream.write({ type: "notice", text: "The model is not reachable; documents are quoted." });
    stream.write({
      type: "sources-ready",
      sources: [{ n: 1, source: source({ title: "see https://evil.example/x <!here>" }), url: "https://docs.test/1" }],
    });
    stream.write(end("Quoted [1]"));
    await stream.settled();
    const said = contextText(bench.answers(target)[0]?.blocks ?? []);
    expect(said.match(/not reachable/g)?.length).toBe(1);
    expect(bench.texts(target)[0]).toContain("<https://docs.test/1|[1]> see `https://evil.example/x` &lt;!here&gt;, page 2");
  });
});

describe("when Slack is slow, busy or broken", () => {
  const body = longAnswer(3).markdown.slice(0, 9_000);
  const pieces = body.match(/[\s\S]{1,300}/g) ?? [];
  const expected = body.match(/w\d+x\d+z/g) ?? [];
  const whole = (target: ReturnType<StreamBench["ask"]>) => unescaped(bench.texts(target).join("\n")).match(/w\d+x\d+z/g);

  async function answer(target: ReturnType<StreamBench["ask"]>, journal = new MemoryJournal()): Promise<MemoryJournal> {
    const stream = bench.stream(target, journal);
    stream.write(start);
    for (const piece of pieces) {
      stream.write(delta(piece));
      await pause(150);
    }
    stream.write(end(body));
    await stream.settled();
    expect(whole(target)).toEqual(expected);
    expect(bench.answers(target).map(({ ts }) => ts)).toEqual(journal.noted.slice(0, bench.answers(target).length));
    return journal;
  }

  test("with 300 ms for every call nothing is lost or doubled", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "*", times: 500, hangMs: 300 });
    await answer(bench.ask());
  });

  test("a storm of 429s loses nothing, and Retry-After is kept", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.postMessage", retryAfter: 2 });
    bench.slack.fail({ method: "chat.update", times: 3, retryAfter: 3 });
    await answer(bench.ask());
    for (const method of ["chat.postMessage", "chat.update"]) {
      const calls = bench.calls(method);
      for (const [at, call] of calls.entries()) {
        if (call.status === 429) expect((calls[at + 1]?.at ?? 0) - call.at).toBeGreaterThanOrEqual(1_900);
      }
      expect(calls.some((call) => call.status === 429)).toBe(true);
    }
  });

  test("a limited channel does not hold up another one", async () => {
    bench = await StreamBench.open();
    const [slow, quick] = [bench.ask("general"), bench.ask("people-ops")];
    bench.slack.fail({ method: "chat.postMessage", retryAfter: 1 });
    const first = bench.stream(slow);
    first.write(end("slow"));
    await bench.slack.waitFor(() => bench.calls("chat.postMessage").length > 0);
    await pause(50);
    const second = bench.stream(quick);
    const before = bench.clock.monotonic();
    second.write(end("quick"));
    await second.settled();
    expect(bench.clock.monotonic() - before).toBe(0);
    expect(bench.answers(slow)).toEqual([]);
    await first.settled();
    expect(bench.texts(slow)).toEqual(["slow"]);
  });

  test("a post that Slack stored although it answered with an error is not posted again", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.postMessage", times: 2, httpStatus: 503, afterStoring: true });
    await answer(bench.ask());
    const posts = bench.slack.everyMessage().filter(({ message }) => message.botId);
    expect(posts.length).toBe(bench.calls("chat.postMessage").length);
  });

  test("a post that Slack did not store is posted again", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.postMessage", times: 2, httpStatus: 500 });
    bench.slack.fail({ method: "chat.update", times: 3, httpStatus: 502 });
    await answer(bench.ask());
  });

  test("a message that somebody deletes meanwhile is continued in a new one", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write(delta("The beginning "));
    await stream.settled();
    bench.slack.fail({ method: "chat.update", error: "message_not_found" });
    stream.write(end("The beginning and the end."));
    await stream.settled();
    expect(bench.texts(target).at(-1)).toBe("The beginning and the end.");
  });

  test.each(["msg_too_long", "msg_blocks_too_long"])("%s: the answer goes on in smaller messages", async (error) => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.update", error });
    const target = bench.ask();
    await answer(target);
    for (const text of bench.texts(target)) expect(text.length).toBeLessThanOrEqual(2_200);
  });

  test.each(["channel_not_found", "is_archived", "token_revoked"])("%s: it stops, says why, and tries nothing more", async (error) => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.postMessage", error });
    const stream = bench.stream(bench.ask());
    stream.write(start);
    await expect(stream.settled()).rejects.toMatchObject({ code: error, final: true });
    stream.write(end("late"));
    await expect(stream.settled()).rejects.toMatchObject({ code: error });
    expect(bench.calls("chat.postMessage").length).toBe(1);
  });

  test("within Slack's documented limits no call is refused, and ten answers at once all arrive", async () => {
    bench = await StreamBench.open({ limits: "documented" });
    const targets = Array.from({ length: 10 }, (_, at) => bench.ask("general", `question ${at}`));
    const streams = targets.map((target) => bench.stream(target));
    for (let round = 0; round < 20; round++) {
      for (const [at, stream] of streams.entries()) stream.write(delta(`text ${at} ${round} `));
      await pause(500);
    }
    for (const [at, stream] of streams.entries()) stream.write(end(`Answer ${at}.`));
    await Promise.all(streams.map((stream) => stream.settled()));
    for (const [at, target] of targets.entries()) expect(bench.texts(target)).toEqual([`Answer ${at}.`]);
    expect(bench.slack.calls.filter((call) => call.status === 429).length).toBeLessThanOrEqual(1);
  });

  test("a second attempt goes on in the messages of the first", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const journal = new MemoryJournal();
    const first = bench.stream(target, journal);
    first.write(delta(body));
    await first.settled();
    first.close();
    first.write(end("from the dead"));
    const before = bench.answers(target).length;
    await answer({ ...target, attempt: 1 }, journal);
    // What is noted need not be looked for.
    expect(bench.calls("conversations.replies")).toEqual([]);
    expect(before).toBeGreaterThan(1);
    expect(sectionText((bench.answers(target)[0]?.blocks ?? []) as never)).not.toContain("from the dead");
  });

  test("a post that a crashed attempt made but never noted is found and used", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const first = bench.stream(target);
    first.write(start);
    await first.settled();
    first.close();
    const second = bench.stream({ ...target, attempt: 1 });
    second.write(end("Answered once."));
    await second.settled();
    expect(bench.texts(target)).toEqual(["Answered once."]);
    expect(bench.calls("chat.postMessage").length).toBe(1);
  });

  test("messages that the final text does not need are taken away", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.stream(target);
    stream.write(delta(body));
    await stream.settled();
    expect(bench.answers(target).length).toBeGreaterThan(1);
    stream.write(end("Short after all."));
    await stream.settled();
    expect(bench.texts(target)).toEqual(["Short after all."]);
  });

  test("another turn's messages in the same thread are left alone", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const first = bench.stream(target);
    first.write(end("First answer."));
    await first.settled();
    const second = bench.stream({ ...target, turn: newId() as typeof target.turn, attempt: 1 });
    second.write(end("Second answer."));
    await second.settled();
    expect(bench.texts(target)).toEqual(["First answer.", "Second answer."]);
  });
});
