import { type ChildProcess, spawn } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { type Clock, notNeeded } from "../../../core/clock.ts";
import { AppError } from "../../../core/errors.ts";
import type { Logger } from "../../../core/logger.ts";
import type { SandboxRules } from "../server.ts";
import { takenBy } from "./descendants.ts";
import { Frames } from "./frames.ts";
import type { Launch } from "./sandbox.ts";

/** How often a program is looked at, in milliseconds. */
const LOOK_MS = 250;
/** How long a program may take to end by itself once nobody writes to it any more. */
const END_MS = 1_000;
/** Bytes of output within one window that are more than any server has to say. */
const MOST_OUTPUT = 64 * 1024 * 1024;
const WINDOW_MS = 5_000;
/** The same for messages, however short: each costs more than its bytes. */
const MOST_MESSAGES = 20_000;
/** Bytes of noise in a row after which a program is not taken for a server any more. */
const MOST_NOISE = 16 * 1024 * 1024;
/** How often noise is told in the log. */
const NOISE_TOLD = 3;

const MIB = 1024 * 1024;
/** For a program without a sandbox: far more than a server needs. */
const unlimited = { memoryMib: 4_096, processes: 512 };

/** A server's program and the pipes to it. Everything it starts ends with it. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #launch: Launch;
  readonly #limits: Pick<SandboxRules, "memoryMib" | "processes">;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #over = new AbortController();
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  /** Whether there may be news that the client has not looked at yet, and what waits for that. */
  #newsBefore = false;
  readonly #held: JSONRPCMessage[] = [];
  #noise = 0;
  #noiseTold = 0;
  #window = { from: 0, bytes: 0, messages: 0 };

  constructor(launch: Launch, rules: SandboxRules | undefined, { clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#launch = launch;
    this.#limits = rules ?? unlimited;
    this.#clock = clock;
    this.#log = log;
  }

  /** With `stderr` it tells the client that this is a pipe to a program: silence then means an old server, not an outage. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  start(): Promise<void> {
    const { command, args, env } = this.#launch;
    const child = spawn(command, args, { env: { ...env }, stdio: ["pipe", "pipe", "pipe"], shell: false, detached: true, cwd: "/" });
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once("exit", () => resolve()));
    const frames = new Frames({ message: (message) => this.#arrived(message), noise: (bytes) => this.#noted(bytes) });
    child.stdout.on("data", (chunk: Buffer) => {
      if (this.#counted(chunk.length)) frames.read(chunk);
    });
    // What a program complains about may hold anybody's data; it is taken so that the program does not wait for a reader.
    child.stderr.resume();
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.on("error", () => undefined);
    child.once("close", () => this.#closed());
    return new Promise((resolve, reject) => {
      child.once("spawn", () => {
        void this.#watch(child.pid ?? 0);
        resolve();
      });
      child.once("error", () => reject(new AppError("MCP_UNREACHABLE", "Its program could not be started.")));
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (!stdin?.writable) return Promise.reject(new AppError("MCP_UNREACHABLE", "Its program has ended."));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (failed) =>
        failed ? reject(new AppError("MCP_UNREACHABLE", "Its program has ended.")) : resolve(),
      );
    });
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.stdin?.end();
    await Promise.race([this.#exited, this.#clock.sleep(END_MS, this.#over.signal).catch(() => undefined)]);
    this.#kill();
    await this.#exited;
  }

  /** Counted once, also when it has to wait. */
  #arrived(message: JSONRPCMessage) {
    if (++this.#window.messages > MOST_MESSAGES) this.#give("It says more than can be heard.");
    else this.#message(message);
  }

  /**
   * In order. The protocol's client looks at news a moment after they have come; an answer right behind them would end its call before, and
   * they would be lost. So it waits for that moment, and whatever comes after it too.
   */
  #message(message: JSONRPCMessage) {
    this.#noise = 0;
    if ("method" in message && this.#held.length === 0) {
      this.#newsBefore = true;
      this.onmessage?.(message);
    } else if (this.#newsBefore || this.#held.length > 0) {
      this.#held.push(message);
      if (this.#held.length === 1) setImmediate(() => this.#release());
    } else this.onmessage?.(message);
  }

  #release() {
    this.#newsBefore = false;
    for (const message of this.#held.splice(0)) this.#message(message);
  }

  #noted(bytes: number) {
    this.#noise += bytes;
    if (this.#noiseTold++ < NOISE_TOLD) this.#log.warn("A server's program prints what is no message; it is skipped.", { count: bytes });
    if (this.#noise > MOST_NOISE) this.#give("It prints what is no message and does not stop.");
  }

  /** False when it is too much. */
  #counted(bytes: number): boolean {
    const now = this.#clock.monotonic();
    if (now - this.#window.from > WINDOW_MS) this.#window = { from: now, bytes: 0, messages: 0 };
    this.#window.bytes += bytes;
    if (this.#window.bytes <= MOST_OUTPUT) return true;
    this.#give("It prints more than can be read.");
    return false;
  }

  async #watch(pid: number): Promise<void> {
    const { memoryMib, processes } = this.#limits;
    while (!this.#over.signal.aborted) {
      await this.#clock.sleep(LOOK_MS, this.#over.signal).catch(() => undefined);
      const taken = this.#over.signal.aborted ? undefined : await takenBy(pid, processes);
      if (!taken) return;
      if (taken.memory > memoryMib * MIB) return this.#give("It takes too much memory.");
      if (taken.processes > processes) return this.#give("It starts too many processes.");
    }
  }

  #give(why: string) {
    if (this.#over.signal.aborted) return;
    this.#log.warn(`A server's program was ended. ${why}`, { code: "MCP_UNREACHABLE" });
    this.#kill();
  }

  /** The whole group; inside of a sandbox the end of its first process is the end of all. */
  #kill() {
    const pid = this.#child?.pid;
    if (!pid) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      this.#child?.kill("SIGKILL");
    }
  }

  #closed() {
    this.#over.abort(notNeeded);
    // Whatever it left behind in its group goes with it.
    this.#kill();
    this.onclose?.();
  }
}
