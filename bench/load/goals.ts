import type { RunResult } from "./one-run.ts";

/** One figure that is measured, where, and how far it may go. */
export interface Goal {
  readonly label: string;
  readonly profile: string;
  /** The bot that does the least there is to do. */
  readonly floor: "bare" | "bare-adaptive";
  readonly unit: "ms" | "s" | "MB" | "1/s" | "";
  readonly read: (run: RunResult) => number;
  readonly most?: number;
  readonly least?: number;
  /** Goals that hold for one kind of database only. */
  readonly only?: "embedded" | "postgres";
}

const seconds = (ms: number): number => ms / 1000;
/** Lost without a word. */
export const silent = (run: RunResult): number => Math.max(0, run.lost - (run.noticed ?? 0));
const lost = { floor: "bare", unit: "", read: (run: RunResult) => run.lost, most: 0 } as const;
const ms = { floor: "bare", unit: "ms" } as const;

/** The figures that say whether this bot is fast and safe enough. */
export const goals: readonly Goal[] = [
  { ...ms, label: "plain: event to model call, p50", profile: "plain", read: (run) => run.toLlmMs.p50, most: 20 },
  {
    ...ms,
    label: "plain: first text after the model's first token, p50",
    profile: "plain",
    read: (run) => run.firstTokenLagMs.p50,
    most: 60,
  },
  { ...ms, label: "plain: overhead, p50", profile: "plain", read: (run) => run.overheadMs.p50, most: 50 },
  { ...ms, label: "tools: step time / slowest tool, p50", profile: "tools", unit: "", read: (run) => run.stepRatio.p50, most: 1.03 },
  { ...ms, label: "tools: overhead, p50", profile: "tools", read: (run) => run.overheadMs.p50, most: 70 },
  { ...ms, label: "burst: acknowledgement, p99", profile: "burst", read: (run) => run.ackMs.p99, most: 50 },
  { ...ms, label: "burst: overhead, p50", profile: "burst", read: (run) => run.overheadMs.p50, most: 60 },
  { ...ms, label: "burst: overhead, p95", profile: "burst", read: (run) => run.overheadMs.p95, most: 150 },
  { ...ms, label: "saturate: answers per second", profile: "saturate", unit: "1/s", read: (run) => run.throughput, least: 35 },
  { ...ms, label: "plain: CPU per answer", profile: "plain", read: (run) => run.cpuMsPerAnswer, most: 130 },
  { ...ms, label: "saturate: CPU per answer", profile: "saturate", read: (run) => run.cpuMsPerAnswer, most: 30 },
  { ...ms, label: "200 answers in progress: overhead, p50", profile: "sessions", read: (run) => run.overheadMs.p50, most: 600 },
  {
    ...{ ...ms, label: "200 answers in progress: memory", profile: "sessions", unit: "MB", only: "postgres" },
    ...{ read: (run) => run.rssPeakMb, most: 350 },
  },
  {
    ...{ label: "workspace under Slack's limits: total, p50", profile: "workspace", floor: "bare-adaptive", unit: "s" },
    ...{ read: (run) => seconds(run.totalMs.p50), most: 2.6 },
  },
  {
    ...{ label: "workspace under Slack's limits: total, p95", profile: "workspace", floor: "bare-adaptive", unit: "s" },
    ...{ read: (run) => seconds(run.totalMs.p95), most: 3.5 },
  },
  { ...lost, label: "a third of the events delivered twice: duplicates", profile: "dups", read: (run) => run.duplicates },
  { ...lost, label: "second question while the first runs: lost", profile: "overlap" },
  { ...lost, label: "model refusals and cut streams: neither answered nor told", profile: "faults", read: silent },
  { ...lost, label: "Slack closes the stream early: lost", profile: "longstream" },
  { ...ms, label: "cold start to ready", profile: "smoke", read: (run) => run.coldStartMs, most: 1_500, only: "postgres" },
  { ...ms, label: "cold start to ready, first run", profile: "smoke", read: (run) => run.coldStartMs, most: 8_000, only: "embedded" },
];

/** What must not happen, under any load. */
export const losses = ["lost", "duplicates", "damaged", "unfinished", "leaks"] as const;

export const met = ({ most, least }: Goal, value: number): boolean =>
  (most === undefined || value <= most) && (least === undefined || value >= least);
