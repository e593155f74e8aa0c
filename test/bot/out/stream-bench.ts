import type { KnownBlock, TableBlock } from "@slack/types";
import { WebClient } from "@slack/web-api";
import { FakeSlack } from "../../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../../playground/server/seed.ts";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { SlackStream, type SlackStreamParts } from "../../../src/bot/out/slack-stream.ts";
import { type MessageBody, SlackWriter } from "../../../src/bot/out/slack-writer.ts";
import { WorkspaceBudget } from "../../../src/bot/out/workspace-budget.ts";
import type { AnswerJournal, AnswerTarget } from "../../../src/bot/ports.ts";
import { channelId, type MessageTs, messageTs, newId, personId, type TraceId, tenantId, traceId, turnId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { LeapClock } from "./quick-clock.ts";
import { overLimits } from "./reading-slack.ts";

export const trace: TraceId = traceId("0e5a37e2-5f0b-4a43-9c5d-8f1d2d6a7b10");
export const start: AgentEvent = { type: "answer-start", traceId: trace };
export const delta = (text: string): AgentEvent => ({ type: "text-delta", text });
export const end = (text: string): AgentEvent => ({ type: "answer-end", text, outcome: "answered" });

export class MemoryJournal implements AnswerJournal {
  readonly noted: MessageTs[] = [];

  async posted(): Promise<readonly MessageTs[]> {
    return this.noted;
  }

  async note(part: number, ts: MessageTs): Promise<void> {
    this.noted[part] = ts;
  }
}

/** A fake Slack with the questions to be answered in it, and writers and streams for them. */
export class StreamBench {
  readonly slack: FakeSlack;
  readonly clock: LeapClock;
  readonly writer: SlackWriter;

  private constructor(slack: FakeSlack, clock: LeapClock) {
    this.slack = slack;
    this.clock = clock;
    this.writer = this.newWriter();
  }

  static async open(options: { limits?: "off" | "documented" } = {}): Promise<StreamBench> {
    const clock = new LeapClock();
    const slack = await FakeSlack.start({ seed: defaultSeed, limits: options.limits ?? "off", clock: clock.called, events: [] });
    return new StreamBench(slack, clock);
  }

  newWriter(workspace = "acme", timeout = 10_000): SlackWriter {
    const { clock } = this;
    class PatientClient extends WebClient {
      override apiCall(...call: Parameters<WebClient["apiCall"]>) {
        return clock.during(() => super.apiCall(...call));
      }
    }
    const client = new PatientClient(this.slack.workspace(workspace).botToken, {
      slackApiUrl: this.slack.apiUrl,
      rejectRateLimitedCalls: true,
      retryConfig: { retries: 0 },
      timeout,
      logger: {
        debug: () => {},
        info: () => {},
        warn: () => {},
        error: () => {},
        setLevel: () => {},
        getLevel: () => "error" as never,
        setName: () => {},
      },
    });
    return new SlackWriter(client, new WorkspaceBudget(this.clock), this.clock, silentLogger);
  }

  ask(channel = "general", text = "question?"): AnswerTarget {
    const thread = messageTs(this.slack.post({ workspace: "acme", as: "alice", channel, text }));
    const workspace = this.slack.workspace("acme");
    const place = {
      channel: channelId(workspace.channel(channel)),
      person: personId(workspace.person("alice")),
      recipientTeam: workspace.teamId,
    };
    return { tenant: tenantId("acme"), turn: turnId(newId()), attempt: 0, thread, ...place };
  }

  /** An answer by posting and editing. */
  stream(target: AnswerTarget, journal: AnswerJournal = new MemoryJournal(), parts: Partial<SlackStreamParts> = {}): SlackStream {
    return this.nativeStream(target, journal, { streaming: false, ...parts });
  }

  /** An answer as Slack's own stream, where that works. */
  nativeStream(target: AnswerTarget, journal: AnswerJournal = new MemoryJournal(), parts: Partial<SlackStreamParts> = {}): SlackStream {
    return new SlackStream(target, journal, { writer: this.writer, clock: this.clock, log: silentLogger, ...parts });
  }

  /** The bot's messages in the thread of a question, as they are now. */
  answers(target: AnswerTarget, channel = "general") {
    return this.slack.messages({ workspace: "acme", channel, thread: target.thread }).filter((message) => message.botId);
  }

  /** What the sections of a thread's answer say, message by message. */
  texts(target: AnswerTarget, channel = "general"): string[] {
    return this.answers(target, channel).map((message) => sectionText(message.blocks as unknown as KnownBlock[]));
  }

  /** Everything that Slack would not take, over all that was ever written. */
  mistakes(): string[] {
    const bodies = this.slack.everyMessage().flatMap(({ message }) => (message.botId ? message.revisions : []));
    return bodies.flatMap(({ text, blocks }) => overLimits({ text, blocks: blocks as unknown as MessageBody["blocks"] }));
  }

  calls(method: string) {
    return this.slack.calls.filter((call) => call.method === method);
  }
}

/** What sections and tables say. */
export const sectionText = (blocks: readonly KnownBlock[]): string =>
  blocks
    .flatMap((block) => (block.type === "section" ? [block.text?.text ?? ""] : block.type === "table" ? block.rows.map(rowText) : []))
    .join("\n");

const rowText = (row: TableBlock["rows"][number]): string => row.map((cell) => wordsIn(cell).join("")).join(" | ");

const wordsIn = (value: object): string[] =>
  Object.entries(value).flatMap(([key, inner]) =>
    key === "text" ? [String(inner)] : typeof inner === "object" && inner !== null ? wordsIn(inner) : [],
  );

export const contextText = (blocks: readonly unknown[]): string =>
  (blocks as KnownBlock[])
    .flatMap((block) => (block.type === "context" ? block.elements.map((one) => ("text" in one ? one.text : "")) : []))
    .join("\n");
