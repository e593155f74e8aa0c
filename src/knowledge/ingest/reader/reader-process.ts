import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { Clock } from "../../../core/clock.ts";
import type { TenantId } from "../../../core/ids.ts";
import { parseReply, type Reply, type RequestHeader } from "./messages.ts";
import { sandboxed } from "./sandbox.ts";

/** Most that a process may answer for one file, in bytes: more text than 25 MiB of anything hold, several times over. */
const LONGEST_REPLY = 128 * 1024 * 1024;

export interface FileToRead {
  /** Whose file it is: files of two tenants never meet in one process. */
  readonly tenant: TenantId;
  readonly name: string;
  readonly bytes: Uint8Array;
  /** How many of its pages, or of what the format has instead, are read. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export type LastReply = Exclude<Reply, { type: "progress" | "picture" }>;
/** How a file ended: with a reply, or by the end of the process, for which a process that was never heard of blames no file. */
export type Ending = LastReply | { readonly type: "died" | "never-started" | "too-much-text" };

export interface ReadingJob {
  readonly ending: Promise<Ending>;
  /** When the process was last heard of, on the clock's monotonic scale. */
  readonly heardAt: number;
  /** Pictures of pages without text, in order, as far as they have arrived. */
  readonly pictures: readonly PagePicture[];
}

/** A page that shows something but holds no text. */
export interface PagePicture {
  /** 1-based. */
  readonly page: number;
  readonly png: Uint8Array;
}

/** The process and the one file it reads at a time. It has no environment, and no rights beyond reading its own code. */
export class ReaderProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #clock: Clock;
  readonly #gone: Promise<void>;
  #dead = false;
  #started = false;
  #onLine: ((line: string) => void) | undefined;
  #onEnd: ((ending: Ending) => void) | undefined;
  #received = 0;
  #partial: Buffer[] = [];

  constructor(entry: URL, clock: Clock) {
    this.#clock = clock;
    const { command, args } = sandboxed(entry);
    this.#child = spawn(command, [...args], { env: {}, cwd: tmpdir(), stdio: ["pipe", "pipe", "ignore"] });
    this.#child.stdout.on("data", (data: Buffer) => this.#receive(data));
    // A process that dies while it is written to: its exit says more.
    this.#child.stdin.on("error", () => {});
    this.#gone = new Promise((resolve) => {
      const died = (): void => {
        this.#dead = true;
        this.#onEnd?.({ type: this.#started ? "died" : "never-started" });
        resolve();
      };
      this.#child.once("close", died);
      this.#child.once("error", died);
    });
    this.#hold(false);
  }

  get alive(): boolean {
    return !this.#dead;
  }

  start({ name, bytes, onProgress }: Omit<FileToRead, "tenant">, wantsPictures: boolean): ReadingJob {
    this.#hold(true);
    this.#received = 0;
    this.#partial = [];
    const job: { heardAt: number; readonly pictures: PagePicture[]; readonly ending: Promise<Ending> } = {
      heardAt: this.#clock.monotonic(),
      pictures: [],
      ending: new Promise((resolve) => {
        this.#onEnd = (ending) => {
          this.#onLine = undefined;
          this.#onEnd = undefined;
          this.#hold(false);
          resolve(ending);
        };
      }),
    };
    this.#onLine = (line) => {
      job.heardAt = this.#clock.monotonic();
      const reply = parseReply(line);
      if (reply?.type === "picture" && wantsPictures) job.pictures.push({ page: reply.page, png: Buffer.from(reply.png, "base64") });
      else if (reply?.type !== "progress") this.#onEnd?.(reply && reply.type !== "picture" ? reply : { type: "died" });
      else if (reply.done !== undefined && reply.total !== undefined) onProgress?.(reply.done, reply.total);
    };
    if (this.#dead) this.#onEnd?.({ type: "never-started" });
    const header: RequestHeader = { name, length: bytes.length, pictures: wantsPictures };
    this.#child.stdin.write(`${JSON.stringify(header)}\n`);
    this.#child.stdin.write(bytes);
    return job;
  }

  /** Memory the process takes, in bytes; undefined where the system does not tell. */
  async memory(): Promise<number | undefined> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, "utf8").catch(() => "");
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  }

  /** Ends the process at once, whatever it does. */
  async stop(): Promise<void> {
    this.#onEnd = undefined;
    this.#onLine = undefined;
    // Whoever waits for its end must not be left by a program with nothing else to do.
    this.#hold(true);
    this.#child.kill("SIGKILL");
    await this.#gone;
  }

  #receive(data: Buffer): void {
    this.#started = true;
    this.#received += data.length;
    if (this.#received > LONGEST_REPLY) {
      this.#partial = [];
      this.#onEnd?.({ type: "too-much-text" });
      return;
    }
    for (let rest = data; rest.length > 0; ) {
      const end = rest.indexOf(10);
      this.#partial.push(end < 0 ? rest : rest.subarray(0, end));
      if (end < 0) return;
      const line = Buffer.concat(this.#partial).toString("utf8");
      this.#partial = [];
      this.#onLine?.(line);
      rest = rest.subarray(end + 1);
    }
  }

  /** An idle process must not keep a finished command alive. */
  #hold(busy: boolean): void {
    for (const handle of [this.#child, this.#child.stdin, this.#child.stdout] as { ref?(): void; unref?(): void }[]) {
      if (busy) handle.ref?.();
      else handle.unref?.();
    }
  }
}
