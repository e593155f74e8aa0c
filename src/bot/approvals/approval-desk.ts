import type { Approvals, CallToAllow, Permission, Question } from "../../agent/ports.ts";
import { type Clock, notNeeded } from "../../core/clock.ts";
import { codeOf } from "../../core/errors.ts";
import { type ChannelId, type MessageTs, type PersonId, type TenantId, turnId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Directory } from "../../permissions/directory.ts";
import type { SlackViews } from "../out/slack-views.ts";
import type { MessageBody, SlackWriter } from "../out/slack-writer.ts";
import { type Catalogue, wordsFor } from "../words/catalogue.ts";
import { approvalCard, askedElsewhere, decidedCard, fitsOnCard } from "./approval-card.ts";
import type { CallApprovals, CallEntry, CallState, CardPlace, Decision } from "./approval-store.ts";
import { editModal, isEditable, mistakeBlock, readEdited } from "./edit-form.ts";

/** How long somebody may take to decide, in milliseconds. */
const WAIT_MS = 600_000;
/** How often a decision is looked for that was made in another process. */
const POLL_MS = 1_000;

/** One tenant's Slack, as far as cards need it. */
export interface CardSlack {
  readonly writer: Pick<SlackWriter, "post" | "update" | "postEphemeral">;
  readonly directory: Pick<Directory, "directMessage" | "person">;
  readonly views: Pick<SlackViews, "open">;
}

export interface DeskParts {
  callsOf(tenant: TenantId): CallApprovals;
  slackOf(tenant: TenantId): Promise<CardSlack>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A click on a card, as Slack tells it. */
export interface CardClick {
  readonly tenant: TenantId;
  /** The entry's id, which proves nothing. */
  readonly id: string;
  readonly person: PersonId;
  readonly decision: Decision;
  /** Where the click was made. */
  readonly channel: ChannelId;
  readonly thread?: MessageTs;
}

/** A wish to change a call before it is allowed. */
export type EditClick = Omit<CardClick, "decision"> & {
  /** Good for one modal within three seconds. */
  readonly trigger: string;
};

/** What somebody has changed or filled in. */
export interface EditedCall {
  readonly tenant: TenantId;
  /** The entry's id, which proves nothing. */
  readonly id: string;
  readonly person: PersonId;
  /** By action id. */
  readonly entered: ReadonlyMap<string, string>;
}

/** Has calls allowed by cards in Slack: asks once, waits, and lets each allowed call begin once. */
export class ApprovalDesk {
  readonly #parts: DeskParts;
  /** Those who wait here, by entry: woken by a click that arrives in this process. An entry of both maps leaves with who waits, however that ends. */
  readonly #waiting = new Map<string, AbortController>();
  /** What is wrong with changed arguments of those who wait here, by entry. */
  readonly #checks = new Map<string, NonNullable<CallToAllow["check"]>>();
  readonly #open = new Set<Promise<unknown>>();

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  forTenant(tenant: TenantId): Approvals {
    return { ask: (question, call, signal, waiting) => this.#ask(tenant, question, call, signal, waiting) };
  }

  /** A click. Resolves when it is stored; what is shown follows. */
  async clicked({ tenant, id, person, decision, channel, thread }: CardClick): Promise<void> {
    const { outcome } = await this.#parts.callsOf(tenant).decide(id, person, decision);
    this.#waiting.get(id)?.abort(notNeeded);
    if (outcome === "allowed" || outcome === "denied") return;
    this.#later(tenant, async ({ writer, directory }) => {
      const text = (await wordsOf(person, directory)).clicked[outcome];
      await writer.postEphemeral(channel, person, { text, blocks: [] }, thread);
    });
  }

  /** Opens a modal with the call's arguments, for whoever may change them. */
  async editing({ tenant, id, person, channel, thread, trigger }: EditClick): Promise<void> {
    const found = await this.#parts.callsOf(tenant).editable(id, person);
    this.#later(tenant, async ({ writer, directory, views }) => {
      const words = await catalogueOf(person, directory);
      if (typeof found !== "string") return void (await views.open(trigger, editModal(id, found, words)));
      await writer.postEphemeral(channel, person, { text: words.approvals.clicked[found], blocks: [] }, thread);
    });
  }

  /** The modal was sent: allows the call with exactly what stands there. @returns what is wrong in it, by block id; none when it is stored */
  async edited({ tenant, id, person, entered }: EditedCall): Promise<Readonly<Record<string, string>>> {
    const calls = this.#parts.callsOf(tenant);
    const { directory } = await this.#parts.slackOf(tenant);
    const { approvals: words } = await catalogueOf(person, directory);
    const found = await calls.editable(id, person);
    const wrong = (sentence: string) => ({ [mistakeBlock(entered)]: sentence });
    if (typeof found === "string") return wrong(words.clicked[found]);
    const read = readEdited(entered, found, words.edit);
    if ("mistakes" in read) return read.mistakes;
    const problem = this.#checks.get(id)?.(JSON.parse(read.edited));
    if (problem !== undefined) return wrong(words.edit.unfit(problem));
    const { outcome } = await calls.decide(id, person, "once", read.edited);
    this.#waiting.get(id)?.abort(notNeeded);
    return outcome === "allowed" || outcome === "denied" ? {} : wrong(words.clicked[outcome]);
  }

  /** Resolves when everything that was begun is shown. */
  async drained(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open]);
  }

  async #ask(tenant: TenantId, question: Question, call: CallToAllow, signal: AbortSignal, waiting: () => void): Promise<Permission> {
    const { channel, thread, message, person } = question;
    if (!message) return { verdict: "nobody" };
    const { tool, fingerprint, arguments: args, mayRemember } = call;
    const entry: CallEntry = {
      channel,
      message,
      thread,
      person,
      tool,
      fingerprint,
      arguments: args,
      rememberable: mayRemember && thread !== undefined,
      ...(call.form && { form: call.form }),
    };
    const calls = this.#parts.callsOf(tenant);
    if (await calls.remembered(entry)) return freely;

    if (!fitsOnCard(args)) return { verdict: "too-long" };
    const opened = await calls.open(entry, WAIT_MS);
    if (opened.isNew && !(await this.#show(tenant, opened.id, entry, call))) return this.#nobody(calls, opened.id);
    if (opened.state === "waiting") waiting();
    const { state, edited } = opened.state === "waiting" ? await this.#decided(tenant, opened.id, call, person, signal) : opened;
    // Reading again does no harm; what changes something may have done so already.
    const again = (call.effect === "read-outside" || call.effect === "read-inside") && (state === "running" || state === "done");
    if (again) return freely;
    if (state !== "allowed") return { verdict: state === "waiting" ? "expired" : state };
    const begin = () => calls.start(opened.id, entry, edited);
    return { verdict: "allowed", ...(edited !== undefined && { edited }), begin, finished: () => calls.finished(opened.id) };
  }

  async #nobody(calls: CallApprovals, id: string): Promise<Permission> {
    await calls.withdraw(id);
    return { verdict: "nobody" };
  }

  /** False when nobody could be asked. */
  async #show(tenant: TenantId, id: string, { channel, thread, person }: CallEntry, call: CallToAllow): Promise<boolean> {
    try {
      const { writer, directory } = await this.#parts.slackOf(tenant);
      const words = await wordsOf(person, directory);
      const card = approvalCard(id, call, person, words, isEditable(call));
      const elsewhere = call.confidential && !channel.startsWith("D");
      const place = elsewhere ? await directory.directMessage(person) : channel;
      const ts = await writer.post(place, elsewhere ? undefined : thread, () => card, { mark: { turn: turnId(id), part: 0 } });
      if (!ts) return false;
      await this.#parts.callsOf(tenant).placed(id, { channel: place, ts });
      if (elsewhere) await writer.postEphemeral(channel, person, askedElsewhere(person, words), thread);
      return true;
    } catch (thrown) {
      this.#parts.log.warn("Nobody could be asked to allow a call.", { tenant, code: codeOf(thrown) });
      return false;
    }
  }

  /** Waits for the decision. When the answer is stopped, a click no longer counts; when it is handed over, the card stays for the next process. */
  async #decided(tenant: TenantId, id: string, call: CallToAllow, asker: PersonId, signal: AbortSignal): Promise<Settled> {
    const calls = this.#parts.callsOf(tenant);
    if (call.check) this.#checks.set(id, call.check);
    const shown = (state: Exclude<CallState, "waiting">, card: CardPlace | undefined, edited = false) =>
      this.#close(tenant, card, asker, (words) => decidedCard(state, call, asker, words, edited));
    try {
      for (;;) {
        const woken = new AbortController();
        this.#waiting.set(id, woken);
        const found = await calls.look(id);
        const state = found?.state ?? "denied";
        if (state !== "waiting") {
          const edited = found?.edited;
          shown(state, found?.card, edited !== undefined);
          return { state, ...(edited !== undefined && { edited }) };
        }
        await this.#parts.clock.sleep(POLL_MS, AbortSignal.any([woken.signal, signal])).catch(() => undefined);
        if (!signal.aborted) continue;
        if (codeOf(signal.reason) !== "LEASE_LOST") {
          await calls.withdraw(id);
          shown(isLate(signal.reason) ? "expired" : "denied", found?.card);
        }
        throw signal.reason;
      }
    } finally {
      this.#waiting.delete(id);
      this.#checks.delete(id);
    }
  }

  #close(tenant: TenantId, card: CardPlace | undefined, asker: PersonId, bodyIn: (words: Catalogue["approvals"]) => MessageBody): void {
    if (!card) return;
    this.#later(tenant, async ({ writer, directory }) => {
      const body = bodyIn(await wordsOf(asker, directory));
      await writer.update(card.channel, card.ts, () => body);
    });
  }

  #later(tenant: TenantId, work: (slack: CardSlack) => Promise<void>): void {
    const begun = this.#parts
      .slackOf(tenant)
      .then(work)
      .catch((thrown: unknown) => this.#parts.log.warn("A card could not be brought up to date.", { tenant, code: codeOf(thrown) }))
      .finally(() => this.#open.delete(begun));
    this.#open.add(begun);
  }
}

/** In the language of whoever is asked or told. */
const wordsOf = async (person: PersonId, directory: CardSlack["directory"]): Promise<Catalogue["approvals"]> =>
  (await catalogueOf(person, directory)).approvals;
const catalogueOf = async (person: PersonId, directory: CardSlack["directory"]): Promise<Catalogue> =>
  wordsFor((await directory.person(person))?.locale);

/** What became of a call, and what its asker has made of its arguments. */
interface Settled {
  readonly state: CallState;
  readonly edited?: string;
}

/** Whether nobody has stopped anything: the call in whose middle it was asked took too long, or is over. */
const isLate = (reason: unknown): boolean => (reason as { readonly name?: unknown } | undefined)?.name === "TimeoutError";

/** Nobody has to know whether it ran. */
const freely: Permission = { verdict: "allowed", begin: async () => true, finished: async () => undefined };
