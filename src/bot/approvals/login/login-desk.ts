import type { PersonLogins, Question } from "../../../agent/ports.ts";
import type { Clock } from "../../../core/clock.ts";
import { codeOf } from "../../../core/errors.ts";
import { newId, type PersonId, type TenantId, turnId } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import type { Directory } from "../../../permissions/directory.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import type { MessageBody } from "../../out/slack-writer.ts";
import { section } from "../../surfaces/blocks.ts";
import { wordsFor } from "../../words/catalogue.ts";
import type { CardSlack } from "../approval-desk.ts";

/** How long somebody may take, in milliseconds, and how often it is looked whether they have: they may come back to another process. */
const WAIT_MS = 600_000;
const LOOK_MS = 1_000;

export interface LoginDeskParts {
  /** A private link for one person. */
  link(tenant: TenantId, server: string, person: PersonId): Promise<string>;
  isLoggedIn(tenant: TenantId, server: string, person: PersonId): Promise<boolean>;
  slackOf(tenant: TenantId): Promise<CardSlack & { readonly directory: Pick<Directory, "person"> }>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Leads people to the log-ins that their questions need, by a link in their direct message, which nobody else reads. */
export class LoginDesk {
  readonly #parts: LoginDeskParts;

  constructor(parts: LoginDeskParts) {
    this.#parts = parts;
  }

  forTenant(tenant: TenantId): PersonLogins {
    return { ask: (question, at, signal, asked) => this.#ask(tenant, question, at, signal, asked) };
  }

  async #ask(
    tenant: TenantId,
    { person, channel, thread, message }: Question,
    { server, title }: Parameters<PersonLogins["ask"]>[1],
    signal: AbortSignal,
    asked: () => void,
  ): ReturnType<PersonLogins["ask"]> {
    if (!message) return "nobody";
    const { clock, log, slackOf, link, isLoggedIn } = this.#parts;
    const until = clock.monotonic() + WAIT_MS;
    let tell: (body: MessageBody) => Promise<unknown>;
    const { writer, directory } = await slackOf(tenant);
    const words = wordsFor((await directory.person(person))?.locale).login;
    const name = plainMrkdwn(title);
    try {
      const direct = await directory.directMessage(person);
      const body = said(words.ask(name, await link(tenant, server, person)));
      const ts = await writer.post(direct, undefined, () => body, { mark: { turn: turnId(newId()), part: 0 } });
      if (!ts) return "nobody";
      tell = (news) => writer.update(direct, ts, () => news);
      if (channel !== direct) await writer.postEphemeral(channel, person, said(words.elsewhere(person, name)), thread);
    } catch (thrown) {
      log.warn("Nobody could be asked to log in.", { tenant, code: codeOf(thrown) });
      return "nobody";
    }
    asked();
    const finished = (sentence: string) => tell(said(sentence)).catch(() => undefined);
    while (clock.monotonic() < until) {
      if (await isLoggedIn(tenant, server, person)) {
        await finished(words.done(name));
        return "logged-in";
      }
      await clock.sleep(LOOK_MS, signal);
    }
    await finished(words.expired(name));
    return "expired";
  }
}

const said = (text: string): MessageBody => ({ text, blocks: [section(text)] });
