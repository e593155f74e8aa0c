import type { AgentEvent } from "../../../src/agent/events.ts";
import { newId } from "../../../src/core/ids.ts";
import { longAnswer } from "./generated-answers.ts";
import { contextText, delta, end, MemoryJournal, StreamBench, sectionText, start, trace } from "./stream-bench.ts";

let bench: StreamBench;
afterEach(async () => {
  await bench.slack.stop();
  // Ending a stream that has ended by itself is the one refusal that is reckoned with.
  expect(bench.slack.problems.filter(({ error }) => error !== "message_not_in_streaming_state")).toEqual([]);
  expect(bench.slack.mentions).toEqual([]);
});

type Target = ReturnType<StreamBench["ask"]>;
const pause = (ms: number) => bench.clock.sleep(ms);
const toolStart = (id: string, label: string): AgentEvent => ({ type: "tool-start", label, call: { id, name: "look", params: {} } });
const toolEnd = (id: string, label: string): AgentEvent => ({
  type: "tool-end",
  label,
  call: { id, name: "look", params: {} },
  ms: 420,
  result: { type: "text", content: "", status: "success", metadata: { count: 5 } },
});
const source = { id: "s", title: "Handbook", passage: "18 weeks", relevance: 0.92, page: 2 };
const url = "https://docs.test/p/1?a=1&b=2";

type Block = Readonly<Record<string, unknown>>;
/** The text of each message, as stream or as edited message. */
const said = (target: Target, channel = "general") =>
  bench.answers(target, channel).map(({ blocks }) => {
    const markdown = (blocks as readonly Block[]).filter(({ type }) => type === "markdown").map(({ text }) => String(text));
    return markdown.length > 0 ? markdown.join("\n") : sectionText(blocks as never);
  });
const cards = (target: Target, message = 0) =>
  ((bench.answers(target)[message]?.blocks ?? []) as readonly Block[])
    .filter(({ type }) => type === "task_card")
    .map(({ title, status }) => `${status}: ${title}`);
const methods = () => bench.slack.calls.map(({ method }) => method).filter((method) => method.startsWith("chat."));
const live = (target: Target) => bench.answers(target).filter(({ stream }) => stream?.state === "in_progress");

describe("an answer as Slack's own stream", () => {
  test("tool calls are task cards, the text arrives in pieces, and the stop brings sources and trace", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    stream.write(start);
    await stream.settled();
    expect(cards(target)).toEqual(["in_progress: Reading the question"]);

    stream.write(toolStart("1", 'Searching for "leave <!channel> at evil.example"'));
    await stream.settled();
    expect(cards(target)[1]).toBe('in_progress: Searching for "leave <\u200B!channel> at evil.\u200Bexample"');
    stream.write(toolEnd("1", 'Searching for "leave"'));
    stream.write({ ...delta("It is **18 weeks** [1], fully "), cited: [{ n: 1, source, url }] } as AgentEvent);
    await stream.settled();
    expect(cards(target)).toEqual(["complete: Reading the question", 'complete: Searching for "leave" \u00B7 5 results \u00B7 0.4 s']);
    expect(said(target)).toEqual([`It is **18 weeks** [[1]](${url}), fully`]);
    expect(live(target).length).toBe(1);

    stream.write({ type: "sources-ready", sources: [{ n: 1, source, url }] });
    stream.write(end("It is **18 weeks** [1], fully paid."));
    await stream.settled();
    expect(said(target)).toEqual([`It is **18 weeks** [[1]](${url}), fully paid.`]);
    const [message] = bench.answers(target);
    expect(sectionText(message?.blocks as never)).toBe(
      "*Sources*\n<https://docs.test/p/1?a=1&amp;b=2|[1] Handbook, page 2> \u00B7 relevance 92 %",
    );
    expect(contextText(message?.blocks ?? [])).toBe(`Trace \`${trace}\``);
    expect(live(target)).toEqual([]);
    expect(new Set(methods())).toEqual(new Set(["chat.startStream", "chat.appendStream", "chat.stopStream"]));
    expect(message?.metadata).toMatchObject({ event_payload: { turn_id: target.turn, part: 0 } });
  });

  test("H5-STR-03: it names its reader and the reader's own workspace", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    stream.write(start);
    stream.write(delta("text "));
    await stream.settled();
    expect(bench.calls("chat.startStream")[0]?.args).toMatchObject({
      recipient_user_id: target.person,
      recipient_team_id: target.recipientTeam,
      thread_ts: target.thread,
    });
    stream.write(end("text"));
    await stream.settled();
  });

  test("an answer that is ready before anything was shown is simply posted, once", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    stream.write(end("Hello."));
    await stream.settled();
    expect(said(target)).toEqual(["Hello."]);
    expect(methods()).toEqual(["chat.postMessage"]);
  });

  test("H5-STR-01: an answer that ends while the start is under way is one message with the final text", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.startStream", hangMs: 300 });
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    stream.write(start);
    await bench.slack.waitFor(() => bench.calls("chat.startStream").length > 0);
    for (const event of [delta("Hel"), delta("lo"), end("Hello")]) stream.write(event);
    await stream.settled();
    expect(said(target)).toEqual(["Hello"]);
    expect(methods()).toEqual(["chat.startStream", "chat.stopStream"]);
  });

  test("text is appended at most once in 750 ms, the first text and the end at once", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    stream.write(start);
    await stream.settled();
    const before = bench.clock.monotonic();
    stream.write(delta("The first words "));
    await stream.settled();
    expect(said(target)).toEqual(["The first words"]);
    expect(bench.clock.monotonic() - before).toBe(0);
    for (let at = 0; at < 40; at++) {
      stream.write(delta(`word${at} `));
      await pause(40);
    }
    const appends = bench.calls("chat.appendStream");
    for (const [at, call] of appends.entries()) if (at > 0) expect(call.at - (appends[at - 1]?.at ?? 0)).toBeGreaterThanOrEqual(700);
    expect(appends.length).toBeGreaterThanOrEqual(3);
    const ending = bench.clock.monotonic();
    stream.write(end(`The first words ${Array.from({ length: 40 }, (_, at) => `word${at} `).join("")}`));
    await stream.settled();
    expect(bench.clock.monotonic() - ending).toBe(0);
  });

  test("addresses that the asker wrote are links in the answer, others are not", async () => {
    bench = await StreamBench.open();
    const target = { ...bench.ask(), question: "Is https://example.com/a better?" };
    const stream = bench.nativeStream(target);
    stream.write(start);
    stream.write(delta("Use https://example.com/a and not https://evil.example/x at all"));
    await stream.settled();
    stream.write(end("Use https://example.com/a and not https://evil.example/x at all."));
    await stream.settled();
    expect(said(target)).toEqual(["Use [https://example.com/a](https://example.com/a) and not `https://evil.example/x` at all."]);
  });

  test("an error keeps what was written, and shows its sentence and a button", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    stream.write(start);
    stream.write(delta("Half of "));
    await stream.settled();
    stream.write({ type: "answer-error", code: "MODEL_FAILED", message: "The model failed.", retryable: true });
    await stream.settled();
    expect(said(target)).toEqual(["Half of"]);
    expect(JSON.stringify(bench.answers(target)[0]?.blocks)).toContain("retry_turn");
  });
});

describe("where streams do not work the answer is edited", () => {
  const answer = async (channel = "general") => {
    const target = bench.ask(channel);
    const stream = bench.nativeStream(target);
    stream.write(start);
    stream.write(delta("The beginning "));
    await stream.settled();
    stream.write(end("The beginning and the end."));
    await stream.settled();
    expect(said(target, channel)).toEqual(["The beginning and the end."]);
    return target;
  };

  test.each(["unknown_method", "missing_scope", "not_allowed_token_type"])(
    "%s is remembered for the workspace, for an hour",
    async (error) => {
      bench = await StreamBench.open();
      bench.slack.fail({ method: "chat.startStream", error });
      await answer();
      await answer("people-ops");
      expect(bench.calls("chat.startStream").length).toBe(1);
      await pause(3_600_000);
      await answer();
      expect(bench.calls("chat.startStream").length).toBe(2);
    },
  );

  test("channel_type_not_supported is remembered for that channel alone", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.startStream", error: "channel_type_not_supported" });
    await answer();
    await answer();
    expect(bench.calls("chat.startStream").length).toBe(1);
    await answer("people-ops");
    expect(bench.calls("chat.startStream").length).toBe(2);
  });

  test.each(["missing_recipient_team_id", "user_not_found", "team_not_found"])("%s concerns this answer alone", async (error) => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.startStream", error });
    await answer();
    await answer();
    expect(bench.calls("chat.startStream").length).toBe(2);
  });

  test("a start that Slack stored although it answered with an error is found, ended and used", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.startStream", httpStatus: 503, afterStoring: true });
    const target = await answer();
    expect(live(target)).toEqual([]);
    expect(bench.answers(target).length).toBe(1);
  });

  test("nothing is streamed when it is switched off", async () => {
    bench = await StreamBench.open();
    await answer();
    const before = bench.calls("chat.startStream").length;
    const stream = bench.nativeStream(bench.ask(), new MemoryJournal(), { streaming: false });
    stream.write(start);
    stream.write(end("Edited."));
    await stream.settled();
    expect(bench.calls("chat.startStream").length).toBe(before);
  });
});

describe("when a stream breaks off, nothing is lost or doubled", () => {
  const { markdown } = longAnswer(6);
  const body = markdown.slice(0, 9_000).replace(/^\|.*\n?/gm, "");
  const expected = body.match(/w\d+x\d+z/g) ?? [];
  const pieces = body.match(/[\s\S]{1,300}(?![\u200D\uDC00-\uDFFF])/g) ?? [];

  async function answer(target: Target, journal = new MemoryJournal(), text = body): Promise<MemoryJournal> {
    const stream = bench.nativeStream(target, journal);
    stream.write(start);
    for (const piece of pieces) {
      stream.write(delta(piece));
      await pause(400);
    }
    stream.write(end(text));
    await stream.settled();
    expect(
      said(target)
        .join("\n")
        .match(/w\d+x\d+z/g),
    ).toEqual(expected);
    return journal;
  }

  test("a stream is ended before it is too long for Slack, and continued in a new message", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const journal = await answer(target);
    expect(live(target)).toEqual([]);
    expect(bench.answers(target).length).toBeGreaterThan(1);
    expect(journal.noted).toEqual(bench.answers(target).map(({ ts }) => ts));
    expect(bench.slack.problems).toEqual([]);
  });

  test("a stream is ended before Slack ends it, also when there is no news", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    stream.write(start);
    stream.write(toolStart("1", "A long search"));
    stream.write(delta("The first part. "));
    await stream.settled();
    await bench.slack.waitFor(() => bench.calls("chat.stopStream").length === 1);
    const [first] = bench.answers(target);
    expect(bench.calls("chat.stopStream")[0]?.at).toBeLessThan((bench.calls("chat.startStream")[0]?.at ?? 0) + 240_000);
    expect(first?.stream?.state).toBe("completed");
    await pause(30_000);
    stream.write(delta("The second part."));
    stream.write(end("The first part. The second part."));
    await stream.settled();
    expect(said(target).join(" ").replace(/\s+/g, " ")).toBe("The first part. The second part.");
  });

  test("after an hour of tool calls the answer still arrives", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    stream.write(start);
    stream.write(toolStart("1", "A long search"));
    await pause(700_000);
    stream.write(toolEnd("1", "A long search"));
    await stream.settled();
    stream.write(end("At last."));
    await stream.settled();
    expect(said(target).filter((text) => text !== "")).toEqual(["At last."]);
    expect(live(target)).toEqual([]);
  });

  test.each(["chat.appendStream", "chat.stopStream"])(
    "message_not_in_streaming_state at %s: it goes on in a new message",
    async (method) => {
      bench = await StreamBench.open();
      bench.slack.fail({ method: "chat.appendStream", hangMs: 1 });
      bench.slack.fail({ method, error: "message_not_in_streaming_state" });
      await answer(bench.ask());
    },
  );

  test.each(["stopped_by_user", "message_not_found", "internal_error", "invalid_chunks", "msg_too_long"])(
    "%s at an append: it goes on, in the same message or a new one",
    async (error) => {
      bench = await StreamBench.open();
      bench.slack.fail({ method: "chat.appendStream", hangMs: 1 });
      bench.slack.fail({ method: "chat.appendStream", error });
      const target = bench.ask();
      await answer(target);
      expect(live(target)).toEqual([]);
    },
  );

  test("an append that Slack stored although it answered with an error is not shown twice", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.appendStream", hangMs: 1 });
    bench.slack.fail({ method: "chat.appendStream", httpStatus: 503, afterStoring: true });
    await answer(bench.ask());
  });

  test("a stop that Slack stored although it answered with an error leaves one answer", async () => {
    bench = await StreamBench.open();
    bench.slack.fail({ method: "chat.stopStream", httpStatus: 503, afterStoring: true, times: 2 });
    await answer(bench.ask());
  });

  test("a storm of 429s loses nothing, and Retry-After is kept", async () => {
    bench = await StreamBench.open();
    for (const method of ["chat.appendStream", "chat.stopStream"]) bench.slack.fail({ method, times: 2, retryAfter: 3 });
    await answer(bench.ask());
    for (const method of ["chat.appendStream", "chat.stopStream"]) {
      const calls = bench.calls(method);
      for (const [at, call] of calls.entries()) {
        if (call.status === 429) expect((calls[at + 1]?.at ?? Number.POSITIVE_INFINITY) - call.at).toBeGreaterThanOrEqual(2_900);
      }
    }
  });

  test("H5-STR-06: after sixty tool calls with long labels there is one answer, in one message", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    stream.write(start);
    for (let at = 0; at < 60; at++) {
      stream.write(toolStart(`${at}`, `Searching for ${"x".repeat(300)}`));
      await pause(400);
      stream.write(toolEnd(`${at}`, `Searching for ${"x".repeat(300)}`));
      await pause(400);
    }
    stream.write(delta("A short answer."));
    stream.write(end("A short answer."));
    await stream.settled();
    expect(said(target)).toEqual(["A short answer."]);
    expect(cards(target).filter((card) => card.startsWith("in_progress"))).toEqual([]);
    expect(cards(target).at(-1)).toBe("complete: 54 further steps");
  });

  test("a final text that differs from what was streamed replaces it", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    stream.write(start);
    stream.write(delta("Something that will be taken back, "));
    await stream.settled();
    stream.write(end("The final text."));
    await stream.settled();
    expect(said(target)).toEqual(["The final text."]);
    expect(bench.answers(target).length).toBe(1);
    expect(JSON.stringify(bench.answers(target)[0]?.blocks)).not.toContain("taken back");
  });

  test("a remark before tool calls is forgotten", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    for (const event of [start, delta("Let me look. ")]) stream.write(event);
    await stream.settled();
    for (const event of [{ type: "text-reset" } as const, delta("Found it, ")]) stream.write(event);
    await stream.settled();
    expect(said(target)).toEqual(["Found it,"]);
    stream.write(end("Found it, here."));
    await stream.settled();
    expect(said(target)).toEqual(["Found it, here."]);
  });

  test("code in which Slack's own forms stand is exact in the end", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const stream = bench.nativeStream(target);
    const text = "Begin with:\n\n```\n<!DOCTYPE html>\n<!-- a remark -->\n```\n\nThat is all.";
    stream.write(start);
    stream.write(delta(text));
    await stream.settled();
    expect(said(target)[0]).toContain("<\u200B!DOCTYPE html>");
    stream.write(end(text));
    await stream.settled();
    expect(said(target)[0]).toContain("&lt;!DOCTYPE html&gt;\n&lt;!-- a remark --&gt;");
  });

  test("a stream that a crashed attempt left behind is ended first, then edited, noted or not", async () => {
    for (const noted of [true, false]) {
      bench = await StreamBench.open();
      const target = bench.ask();
      const journal = new MemoryJournal();
      const first = bench.nativeStream(target, journal);
      first.write(start);
      first.write(delta("Half of an "));
      await first.settled();
      first.close();
      expect(live(target).length).toBe(1);
      const second = bench.nativeStream({ ...target, attempt: 1 }, noted ? journal : new MemoryJournal());
      second.write(start);
      second.write(end("Answered once."));
      await second.settled();
      expect(said(target)).toEqual(["Answered once."]);
      expect(live(target)).toEqual([]);
      expect(bench.answers(target).length).toBe(1);
      if (noted) await bench.slack.stop();
    }
  });

  test("another turn's stream that is finished is left alone", async () => {
    bench = await StreamBench.open();
    const target = bench.ask();
    const first = bench.nativeStream(target);
    first.write(start);
    first.write(end("First answer."));
    await first.settled();
    const second = bench.nativeStream({ ...target, turn: newId() as typeof target.turn, attempt: 1 });
    second.write(end("Second answer."));
    await second.settled();
    expect(said(target)).toEqual(["First answer.", "Second answer."]);
  });

  test("within Slack's documented limits no call is refused, and ten answers at once all arrive", async () => {
    bench = await StreamBench.open({ limits: "documented" });
    const targets = Array.from({ length: 10 }, (_, at) => bench.ask("general", `question ${at}`));
    const streams = targets.map((target) => bench.nativeStream(target));
    for (const stream of streams) stream.write(start);
    const texts = targets.map(() => "");
    for (let round = 0; round < 20; round++) {
      for (const [at, stream] of streams.entries()) {
        texts[at] += `text ${at} ${round} `;
        stream.write(delta(`text ${at} ${round} `));
      }
      await pause(500);
    }
    for (const [at, stream] of streams.entries()) stream.write(end(`${texts[at]}Answer ${at}.`));
    await Promise.all(streams.map((stream) => stream.settled()));
    for (const [at, target] of targets.entries()) expect(said(target)).toEqual([`${texts[at]}Answer ${at}.`]);
    expect(bench.slack.calls.filter((call) => call.status === 429).length).toBeLessThanOrEqual(1);
  });
});
