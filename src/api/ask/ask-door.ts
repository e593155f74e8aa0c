import type { IncomingMessage, ServerResponse } from "node:http";
import type { AgentClient } from "../../agent/client.ts";
import type { Question } from "../../agent/ports.ts";
import type { Clock } from "../../core/clock.ts";
import { AppError, type ErrorCode, errorCodes } from "../../core/errors.ts";
import { messageTs, type TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Directory } from "../../permissions/directory.ts";
import { respondError } from "../api-error.ts";
import { type ApiKeys, type KeyHolder, type KeyLimits, keyHolder } from "../api-keys.ts";
import type { Route } from "../http-server.ts";
import { readablePlace } from "../sources/readable-place.ts";
import { EventStreamSink } from "./ask-events.ts";
import { askReport } from "./ask-report.ts";
import { type AskBody, bearerOf, checkOrigin, readAsk } from "./ask-request.ts";

export interface AskDoorParts {
  readonly agent: Pick<AgentClient, "ask">;
  keysOf(tenant: TenantId): ApiKeys;
  /** @throws AppError WORKSPACE_UNKNOWN when the workspace is suspended or gone */
  directory(tenant: TenantId): Promise<Directory>;
  readonly limits: KeyLimits & {
    /** Answers in progress through this door, of one workspace and in this process. */
    readonly tenantAnswers: number;
    readonly processAnswers: number;
  };
  /** The address people reach this program under. */
  publicUrl(): string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A use of a key counts as running for this long unless it is renewed: a process that dies frees its places. */
const leaseMs = 60_000;
const renewEveryMs = 15_000;

/** One question on its way. */
interface Asked {
  readonly holder: KeyHolder;
  readonly body: AskBody;
  readonly response: ServerResponse;
  /** Whether the caller wants events instead of one JSON object. */
  readonly stream: boolean;
}

/**
 * `POST /api/ask`: a question over HTTP, answered as JSON or as server-sent events. A key stands for one person of one workspace, so
 * the answer draws on exactly what that person would get in Slack.
 */
export class AskDoor {
  readonly #parts: AskDoorParts;
  readonly #running = new Map<Promise<void>, TenantId>();
  readonly #stopping = new AbortController();
  #closed = false;

  constructor(parts: AskDoorParts) {
    this.#parts = parts;
  }

  readonly routes: readonly Route[] = [
    { method: "POST", path: "/api/ask", policy: "api-key", handle: (request, response) => this.#handle(request, response) },
  ];

  /** Takes no more questions; running answers get `graceMs`, then they are stopped. */
  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#closed = true;
    const patience = new AbortController();
    const all = Promise.allSettled(this.#running.keys()).then(() => patience.abort());
    await this.#parts.clock.sleep(graceMs, patience.signal).catch(() => undefined);
    this.#stopping.abort(new AppError("OVERLOADED"));
    await all;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (thrown) {
      if (!(thrown instanceof AppError)) this.#parts.log.error("A question over HTTP failed.", { code: "INTERNAL" });
      // What is left of the body is not read, so the connection cannot be used again.
      const seconds = thrown instanceof Refused ? { "Retry-After": String(thrown.retryAfterSeconds) } : {};
      if (!response.headersSent) respondError(response, thrown, { headers: { Connection: "close", ...seconds } });
      else response.destroy();
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { keysOf, publicUrl, limits } = this.#parts;
    checkOrigin(request, publicUrl());
    const holder = await keyHolder(bearerOf(request), keysOf, "api");
    if (!holder) throw new AppError("KEY_REFUSED");
    const body = await readAsk(request);
    const ofTenant = [...this.#running.values()].filter((tenant) => tenant === holder.tenant).length;
    if (this.#closed || this.#running.size >= limits.processAnswers || ofTenant >= limits.tenantAnswers)
      throw new Refused("OVERLOADED", overloadedRetrySeconds);
    const run = this.#admitted({ holder, body, response, stream: wantsEvents(request) });
    const settled = run.catch(() => undefined);
    this.#running.set(settled, holder.tenant);
    await settled;
    this.#running.delete(settled);
    return run;
  }

  async #admitted(asked: Asked): Promise<void> {
    const { tenant, id } = asked.holder;
    const keys = this.#parts.keysOf(tenant);
    const admission = await keys.admit(id, this.#parts.limits, leaseMs);
    if (!admission.admitted) throw new Refused("RATE_LIMITED", admission.retryAfterSeconds);
    const { use } = admission;
    const ended = new AbortController();
    void this.#every(renewEveryMs, ended.signal, () => keys.renew(use, leaseMs));
    try {
      await this.#run(asked, ended.signal);
    } finally {
      ended.abort();
      await keys.finish(use).catch(() => this.#parts.log.warn("A key's place could not be freed; its lease will end.", { tenant }));
    }
  }

  async #run({ holder, body, response, stream }: Asked, ended: AbortSignal): Promise<void> {
    const gone = new AbortController();
    const leave = () => gone.abort(new AppError("INTERNAL", "The caller went away."));
    response.once("close", leave);
    if (response.destroyed) leave();
    const signal = AbortSignal.any([gone.signal, this.#stopping.signal]);
    const question = await this.#question(holder, body);
    if (stream) await this.#streamed(question, response, signal, ended);
    else await this.#whole(question, response, signal);
  }

  async #question({ tenant, person: id }: KeyHolder, { question, channel, thread }: AskBody): Promise<Question> {
    const directory = await this.#parts.directory(tenant);
    const person = await directory.person(id);
    if (!person) throw new AppError("PERSON_UNKNOWN");
    const place = channel === undefined ? await directory.directMessage(id) : (await readablePlace(directory, person, channel)).id;
    return { tenant, person: id, channel: place, text: question.trim(), ...(thread !== undefined && { thread: messageTs(thread) }) };
  }

  async #whole(question: Question, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const answer = await this.#parts.agent.ask(question, { write: () => undefined }, signal);
    const { error, traceId } = answer;
    if (error) return respondError(response, new AppError(known(error.code)), { traceId });
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" });
    response.end(`${JSON.stringify(askReport(answer))}\n`);
  }

  async #streamed(question: Question, response: ServerResponse, signal: AbortSignal, ended: AbortSignal): Promise<void> {
    const sink = new EventStreamSink(response);
    void this.#every(renewEveryMs, ended, async () => sink.keepAlive());
    await this.#parts.agent.ask(question, sink, signal);
    sink.end();
  }

  /** Does something again and again until the signal aborts; what fails once is tried again the next time. */
  async #every(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      const slept = await this.#parts.clock.sleep(ms, signal).then(
        () => true,
        () => false,
      );
      if (slept) await work().catch(() => undefined);
    }
  }
}

/** A refusal that says when to come back. */
class Refused extends AppError {
  readonly retryAfterSeconds: number;

  constructor(code: "RATE_LIMITED" | "OVERLOADED", retryAfterSeconds: number) {
    super(code);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const overloadedRetrySeconds = 5;

const wantsEvents = ({ headers }: IncomingMessage): boolean => (headers.accept ?? "").includes("text/event-stream");

const known = (code: string): ErrorCode => errorCodes.find((each) => each === code) ?? "INTERNAL";
