import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { footnotePeer, isVariant, type Peer, type Surroundings } from "./footnote.ts";

interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** What the harness reports of one bot under one load; times in milliseconds. Its README explains every field. */
export interface RunResult {
  readonly questions: number;
  readonly answered: number;
  readonly lost: number;
  readonly duplicates: number;
  readonly damaged: number;
  readonly unfinished: number;
  readonly leaks: number;
  readonly coldStartMs: number;
  readonly throughput: number;
  readonly cpuMsPerAnswer: number;
  readonly rssPeakMb: number;
  readonly ackMs: Spread;
  readonly toLlmMs: Spread;
  readonly firstTokenLagMs: Spread;
  readonly totalMs: Spread;
  readonly overheadMs: Spread;
  readonly stepRatio: Spread;
  readonly allSlackCallsPerAnswer: number;
  readonly limited429All: number;
  readonly llmCallsPerAnswer: number;
  /** Answers that ended with an error that people see, with an id and a Retry: not complete, but not silent either. */
  readonly noticed?: number;
  readonly harness: { readonly eldP99: number; readonly cpuShare: number };
}

export interface RunWish extends Surroundings {
  readonly harness: string;
  readonly peer: string;
  readonly profile: string;
  /** Fields of the profile that are changed, as path=value. */
  readonly set: readonly string[];
  /** Where the bot's logs go, when they are wanted. */
  readonly keep?: string;
}

/** Longest time one run may take, in milliseconds. */
const runLimitMs = 420_000;

/** One bot under one load, in processes of their own. */
export async function oneRun(wish: RunWish): Promise<RunResult | { readonly error: string }> {
  const folder = await mkdtemp(join(tmpdir(), "footnote-bench-"));
  let peer: Peer | undefined;
  try {
    peer = isVariant(wish.peer)
      ? await footnotePeer(wish.peer, folder, wish)
      : { file: join(wish.harness, "peers", `${wish.peer}.json`), clear: async () => undefined };
    const kept = wish.keep ?? join(folder, "run");
    const result = await harnessRun(peer.file, { ...wish, keep: kept });
    return isVariant(wish.peer) && !("error" in result) ? { ...result, noticed: await failuresShown(kept) } : result;
  } finally {
    await peer?.clear();
    await rm(folder, { recursive: true, force: true });
  }
}

/** How many answers the bot ended with an error, by its own log. */
async function failuresShown(folder: string): Promise<number> {
  const log = await readFile(join(folder, "bot.err.log"), "utf8");
  return log.split("\n").filter((line) => line.includes('"A turn has ended."') && line.includes('"status":"failed"')).length;
}

function harnessRun(
  file: string,
  { harness, profile, set, keep }: RunWish & { readonly keep: string },
): Promise<RunResult | { readonly error: string }> {
  const options = [...set.flatMap((each) => ["--set", each]), "--keep", keep, "--verbose"];
  const child = spawn(process.execPath, [join(harness, "bin", "bench.mjs"), file, profile, "--json", ...options]);
  const limit = setTimeout(() => child.kill("SIGTERM"), runLimitMs);
  let [out, problem] = ["", ""];
  child.stdout.on("data", (piece) => {
    out += piece;
  });
  child.stderr.on("data", (piece) => {
    problem += piece;
  });
  return new Promise((resolve) => {
    child.on("close", () => {
      clearTimeout(limit);
      try {
        resolve(JSON.parse(out.trim().split("\n").at(-1) ?? ""));
      } catch {
        resolve({ error: problem.trim().slice(-2_000) || "no result" });
      }
    });
  });
}
