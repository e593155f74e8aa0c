import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { ToolDefinition } from "../external-tools.ts";
import type { CallOptions, ServerSession } from "./client-session.ts";
import { isLeftOut, type LeftOut, readDefinition } from "./definition.ts";
import type { Asker } from "./elicitation.ts";
import { LoginNeeded } from "./login/kept-login.ts";
import { nameTools } from "./names.ts";
import { stillThere, withPatience } from "./patience.ts";
import type { RawResult } from "./result.ts";
import type { McpServer } from "./server.ts";

/** The longest a tool list is believed, whatever the server says: a changed tool must be noticed. */
const LIST_MS = 300_000;
/** Waits between tries to connect: twice as long after each failure. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
/** Failures in a row after which a server is left alone for longer, and people are told. */
const FAILURES_TO_OPEN = 5;
const OPEN_MS = 300_000;
/** A connection that nobody uses is closed after this long: a program holds memory. */
const IDLE_MS = 600_000;

/** A server's tools under our names, and those that are not offered. */
export interface ListedTools {
  readonly named: readonly { readonly name: string; readonly definition: ToolDefinition }[];
  readonly leftOut: readonly LeftOut[];
}

export interface ConnectionParts {
  readonly server: McpServer;
  open(signal: AbortSignal, listChanged: () => void): Promise<ServerSession>;
  /** Told about every list that was read anew, before it is used. */
  listed(tools: ListedTools): Promise<void>;
  /** Told when it is closed for good: by whoever made it, or since nobody uses it. */
  closed(): void;
  /** Told once when the server is given up for a while. */
  unavailable(): void;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One server for one credential: connected when it is needed, and again after a loss, never more often than makes sense. */
export class ServerConnection {
  readonly #parts: ConnectionParts;
  readonly #closing = new AbortController();
  #session: Promise<ServerSession> | undefined;
  /** The same, once it is open and until it ends or is let go. */
  #current: ServerSession | undefined;
  #list: { readonly at: number; readonly tools: Promise<ListedTools> } | undefined;
  #failures = 0;
  #notBefore = 0;
  #usedAt = 0;
  /** From the first use on, until it is closed. */
  #watch: Promise<void> | undefined;
  #calls = 0;
  /** The list is being read anew, since the server has said that it is another; and whether it has said so again since. */
  #rereading: Promise<void> | undefined;
  #saidAgain = false;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** The server's tools, read anew when the last list is too old. @throws AppError MCP_UNREACHABLE */
  async tools({ fresh = false } = {}): Promise<ListedTools> {
    const now = this.#parts.clock.monotonic();
    if (this.#list && !fresh && now - this.#list.at < LIST_MS) return this.#list.tools;
    const tools = this.#read();
    const list = { at: now, tools };
    this.#list = list;
    tools.catch(() => {
      if (this.#list === list) this.#list = undefined;
    });
    return tools;
  }

  /**
   * Calls a tool, once: whether a call that broke off took effect is not known, so it is never repeated by itself.
   * @throws TookTooLong, AppError MCP_UNREACHABLE, the signal's reason, or what the protocol's client throws
   */
  async call(
    definition: ToolDefinition,
    args: Readonly<Record<string, unknown>>,
    { signal, progress, asker = {} }: { readonly signal: AbortSignal; progress(news: string): void; readonly asker?: Asker },
  ): Promise<RawResult> {
    const { server, clock } = this.#parts;
    const { totalMs } = server;
    const session = await this.#connected();
    this.#calls += 1;
    try {
      const result = await withPatience(server, clock, AbortSignal.any([signal, session.closed]), (own, news) =>
        session.call(definition, args, {
          signal: own,
          totalMs,
          asker: patient(asker, (work) => stillThere(server.silenceMs, clock, news, work)),
          onProgress: (said) => {
            news();
            progress(progressLine(said));
          },
        }),
      );
      this.#failures = 0;
      return result;
    } finally {
      this.#calls -= 1;
      this.#usedAt = clock.monotonic();
    }
  }

  async close(): Promise<void> {
    if (!this.#closing.signal.aborted) this.#parts.closed();
    this.#closing.abort(new AppError("MCP_UNREACHABLE", "It is being closed."));
    const session = await this.#session?.catch(() => undefined);
    await session?.close().catch(() => undefined);
  }

  async #read(): Promise<ListedTools> {
    const session = await this.#connected();
    const raw = await session.list(AbortSignal.any([this.#closing.signal, session.closed]));
    const read = raw.map(readDefinition).filter((found) => found !== undefined);
    const { named, leftOut } = nameTools(
      this.#parts.server.name,
      read.filter((found): found is ToolDefinition => !isLeftOut(found)),
    );
    const tools = { named, leftOut: [...read.filter(isLeftOut), ...leftOut] };
    for (const { name, reason } of tools.leftOut)
      this.#parts.log.warn(`A tool of an external server is left out: ${reason}.`, { plugin: this.#parts.server.name, tool: name });
    this.#failures = 0;
    await this.#parts.listed(tools);
    return tools;
  }

  #connected(): Promise<ServerSession> {
    this.#usedAt = this.#parts.clock.monotonic();
    this.#watch ??= this.#closeWhenIdle();
    if (this.#session) return this.#session;
    const session = this.#connect();
    this.#session = session;
    session.catch(() => {
      if (this.#session === session) this.#session = undefined;
    });
    return session;
  }

  async #connect(): Promise<ServerSession> {
    const { clock, open, log } = this.#parts;
    this.#closing.signal.throwIfAborted();
    const wait = this.#notBefore - clock.monotonic();
    if (wait > 0) throw new AppError("MCP_UNREACHABLE", `It failed before and is tried again in ${Math.ceil(wait / 1000)} s.`);
    const session = await this.#opened(open);
    this.#current = session;
    session.closed.addEventListener("abort", () => this.#lost(session), { once: true });
    if (session.closed.aborted) this.#lost(session);
    log.info("An external server is connected.", { plugin: this.#parts.server.name, version: session.protocolVersion });
    return session;
  }

  async #opened(open: ConnectionParts["open"]): Promise<ServerSession> {
    try {
      return await open(this.#closing.signal, () => this.#listChanged());
    } catch (thrown) {
      // The server works; it is its caller who has to do something.
      if (thrown instanceof LoginNeeded) throw thrown;
      this.#failed();
      if (thrown instanceof AppError) throw thrown;
      throw new AppError("MCP_UNREACHABLE", undefined, { cause: thrown });
    }
  }

  #lost(session: ServerSession): void {
    if (this.#current !== session) return;
    this.#letGo();
    if (!this.#closing.signal.aborted) this.#failed();
  }

  #letGo(): void {
    this.#current = undefined;
    this.#session = undefined;
    this.#list = undefined;
  }

  /** Counts until something succeeded: a program that starts and ends at once has failed, too. */
  #failed(): void {
    const { clock, log, server, unavailable } = this.#parts;
    this.#failures += 1;
    const wait = this.#failures >= FAILURES_TO_OPEN ? OPEN_MS : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.#failures - 1));
    this.#notBefore = clock.monotonic() + wait;
    log.warn("An external server was lost or did not start.", { plugin: server.name, attempt: this.#failures });
    if (this.#failures === FAILURES_TO_OPEN) unavailable();
  }

  /** One reading at a time, and one more when it was said again meanwhile: a server may say it as often as it likes. */
  #listChanged(): void {
    this.#saidAgain = true;
    this.#rereading ??= this.#reread().finally(() => {
      this.#rereading = undefined;
    });
  }

  async #reread(): Promise<void> {
    while (this.#saidAgain && !this.#closing.signal.aborted) {
      this.#saidAgain = false;
      await this.tools({ fresh: true }).catch(() => undefined);
    }
  }

  async #closeWhenIdle(): Promise<void> {
    const { clock } = this.#parts;
    const over = this.#closing.signal;
    while (!over.aborted) {
      await clock.sleep(IDLE_MS, over).catch(() => undefined);
      const unused = this.#calls === 0 && clock.monotonic() - this.#usedAt >= IDLE_MS;
      if (!over.aborted && unused) await this.close();
    }
  }
}

/** The same asker; while they are asked, a server counts as alive. */
const patient = ({ confirm, writeFor }: Asker, still: <T>(work: () => Promise<T>) => Promise<T>): Asker => ({
  ...(confirm && { confirm: (...question) => still(() => confirm(...question)) }),
  ...(writeFor && { writeFor: (...request) => still(() => writeFor(...request)) }),
});

/** What people see of a server's progress. The words are the server's: short, on one line. */
function progressLine({ progress, total, message }: Parameters<CallOptions["onProgress"]>[0]): string {
  const part = total ? `${Math.round((100 * progress) / total)} %` : "";
  return [part, (message ?? "").replace(/\s+/g, " ").slice(0, 80)].filter(Boolean).join(" ") || "still working";
}
