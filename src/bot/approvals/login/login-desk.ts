import type { PersonLogins, Question } from "../../../agent/ports.ts";
import { type Clock, notNeeded } from "../../../core/clock.ts";
import { codeOf } from "../../../core/errors.ts";
import { newId, type PersonId, type TenantId, turnId } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import type { MessageBody } from "../../out/slack-writer.ts";
import { section } from "../../surfaces/blocks.ts";
import { type Catalogue, wordsFor } from "../../words/catalogue.ts";
import type { CardSlack } from "../approval-desk.ts";

/** How long somebody may take, in milliseconds, and how often it is looked whether they have: they may come back to another process. */
const WAIT_MS = 600_000;
const LOOK_MS = 1_000;

export interface LoginDeskParts {
  /** A private link for one person. */
  link(tenant: TenantId, server: string, person: PersonId): Promise<string>;
  /** Nobody waits for what a link leads to: it is worth nothing any more. */
  withdraw(link: string): Promise<void>;
  isLoggedIn(tenant: TenantId, server: string, person: PersonId): Promise<boolean>;
  slackOf(tenant: TenantId): Promise<Omit<CardSlack, "views">>;
  readonly clock: Clock;
  readonly log: Logger;
}

type At = Parameters<PersonLogins["ask"]>[1];
type Outcome = Awaited<ReturnType<PersonLogins["ask"]>>;

/** What one question waits for at one server, however many of its calls do. */
interface Asking {
  readonly asked: Promise<void>;
  readonly outcome: Promise<Outcome>;
  /** Ends it, once no call waits any more. */
  readonly stop: AbortController;
  waiting: number;
}

/** A link where its person reads it. */
interface Placed {
  readonly link: string;
  readonly words: Catalogue["login"];
  tell(sentence: string): Promise<unknown>;
}

/** Leads people to the log-ins that their questions need, by a link in their direct message, which nobody else reads. */
export class LoginDesk {
  readonly #parts: LoginDeskParts;
  /** By question and server. */
  readonly #open = new Map<string, Asking>();
  readonly #running = new Set<Promise<Outcome>>();

  constructor(parts: LoginDeskParts) {
    this.#parts = parts;
  }

  forTenant(tenant: TenantId): PersonLogins {
    return { ask: (question, at, signal, asked) => this.#join(tenant, question, at, signal, asked) };
  }

  /** Resolves when every link for which nobody waits any more is worth nothing, and says so. */
  async drained(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled([...this.#running]);
  }

  /** Calls of one question at one server wait for one link. It is worth nothing any more when the last of them is stopped. */
  async #join(tenant: TenantId, question: Question, at: At, signal: AbortSignal, asked: () => void): Promise<Outcome> {
    const { person, channel, message } = question;
    if (!message) return "nobody";
    signal.throwIfAborted();
    const key = [tenant, at.server, person, channel, message].join(" ");
    const open = this.#open.get(key) ?? this.#begin(key, tenant, question, at);
    open.waiting += 1;
    void open.asked.then(asked);
    const stopped = new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    try {
      return await Promise.race([open.outcome, stopped]);
    } finally {
      open.waiting -= 1;
      if (open.waiting === 0) {
        this.#open.delete(key);
        open.stop.abort(notNeeded);
      }
    }
  }

  #begin(key: string, tenant: TenantId, question: Question, at: At): Asking {
    const stop = new AbortController();
    const [asked, told] = signalled();
    const outcome = this.#ask(tenant, question, at, stop.signal, told);
    const asking: Asking = { asked, outcome, stop, waiting: 0 };
    this.#open.set(key, asking);
    this.#running.add(outcome);
    void outcome.finally(() => this.#running.delete(outcome));
    return asking;
  }

  /** Never rejects. When it is stopped, what it gives counts for nobody. */
  async #ask(tenant: TenantId, question: Question, { server, title }: At, signal: AbortSignal, asked: () => void): Promise<Outcome> {
    const { log } = this.#parts;
    const name = plainMrkdwn(title);
    let placed: Placed | undefined;
    try {
      placed = await this.#place(tenant, question, server, name);
      if (!placed) return "nobody";
      asked();
      const loggedIn = await this.#loggedIn(tenant, server, question.person, signal);
      if (!loggedIn) await this.#parts.withdraw(placed.link);
      const { done, withdrawn, expired } = placed.words;
      await placed.tell((loggedIn ? done : signal.aborted ? withdrawn : expired)(name));
      return loggedIn ? "logged-in" : "expired";
    } catch (thrown) {
      log.warn("Somebody could not be asked to log in, or not be waited for.", { tenant, code: codeOf(thrown) });
      return "nobody";
    }
  }

  /** Waits until somebody is logged in. False: too late, or stopped. */
  async #loggedIn(tenant: TenantId, server: string, person: PersonId, signal: AbortSignal): Promise<boolean> {
    const { clock, isLoggedIn } = this.#parts;
    const until = clock.monotonic() + WAIT_MS;
    while (!signal.aborted && clock.monotonic() < until) {
      if (await isLoggedIn(tenant, server, person)) return true;
      await clock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
    return false;
  }

  /** Undefined when the person cannot be reached. */
  async #place(tenant: TenantId, { person, channel, thread }: Question, server: string, name: string): Promise<Placed | undefined> {
    const { slackOf, link: newLink } = this.#parts;
    const { writer, directory } = await slackOf(tenant);
    const words = wordsFor((await directory.person(person))?.locale).login;
    const direct = await directory.directMessage(person);
    const link = await newLink(tenant, server, person);
    const body = said(words.ask(name, link));
    const ts = await writer.post(direct, undefined, () => body, { mark: { turn: turnId(newId()), part: 0 } });
    if (!ts) return undefined;
    // Without it the question waits all the same: the link itself has arrived.
    if (channel !== direct) await writer.postEphemeral(channel, person, said(words.elsewhere(person, name)), thread).catch(() => undefined);
    return { link, words, tell: (sentence) => writer.update(direct, ts, () => said(sentence)).catch(() => undefined) };
  }
}

const said = (text: string): MessageBody => ({ text, blocks: [section(text)] });

/** A promise, and what fulfils it. */
function signalled(): readonly [Promise<void>, () => void] {
  let fulfil: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    fulfil = resolve;
  });
  return [promise, fulfil];
}
