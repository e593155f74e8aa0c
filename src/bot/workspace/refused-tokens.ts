import type { Clock } from "../../core/clock.ts";
import { codeOf } from "../../core/errors.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Secret } from "../../core/secret.ts";
import type { Departures } from "./departures.ts";
import type { Installation } from "./installations.ts";
import type { SavedInstallation } from "./saved-installation.ts";
import { slackClient } from "./slack-clients.ts";
import { slackErrorCode } from "./slack-reader.ts";

/** Slack's answers to any call with a token that is worth nothing any more. An expired one is not among them: it is renewed. */
const dead: ReadonlySet<string> = new Set(["account_inactive", "invalid_auth", "token_revoked"]);

/** Slack's answer to a token it does not know, and to any token at all from an address that the app's settings do not allow. */
const unknownOrFromElsewhere = "invalid_auth";
/** After a look that ended nothing, the same installation is looked at again after this long, in milliseconds. */
const nextLookMs = 300_000;

/** Whether a call failed because of its token, whatever was called. */
export const saysTokenIsDead = (thrown: unknown): boolean => dead.has(slackErrorCode(thrown) ?? "");

export interface RefusedTokensParts {
  /** A tenant's own installation, as it is stored now. */
  readonly current: (tenant: TenantId) => Promise<SavedInstallation | undefined>;
  readonly departures: Pick<Departures, "left">;
  /** The token of another workspace that is in use, if there is one. */
  readonly another: (than: SavedInstallation) => Promise<Secret | undefined>;
  /** Another process has been given another token: clients with the old one are not used any more. */
  readonly changed: (tenant: TenantId) => void;
  /** Ends in /api/; Slack itself when absent. */
  readonly apiUrl?: string | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Workspaces whose token Slack refuses for good. Slack may end a token without a word (its event got lost, or came while the program was
 * away); then the first answer that says so suspends the workspace until the app is installed there again, and nothing is tried over and over.
 */
export class RefusedTokens {
  readonly #parts: RefusedTokensParts;
  readonly #looking = new Map<TenantId, Promise<void>>();
  /** One number for each installation that was ever refused. */
  readonly #lookedAt = new Map<TenantId, number>();

  constructor(parts: RefusedTokensParts) {
    this.#parts = parts;
  }

  /** A call was refused. Looked into in the background, once at a time for each installation. */
  refused(installation: Installation): void {
    const owner = installation.organisation ?? installation.tenant;
    if (this.#looking.has(owner)) return;
    const { clock, log } = this.#parts;
    const last = this.#lookedAt.get(owner);
    if (last !== undefined && clock.monotonic() - last < nextLookMs) return;
    const looking = this.#lookInto(owner, installation.token)
      .then((outcome) => void (outcome === "good or unclear" && this.#lookedAt.set(owner, clock.monotonic())))
      .catch((thrown: unknown) => {
        const code = slackErrorCode(thrown) ?? codeOf(thrown);
        log.warn("It could not be told whether a workspace's token is worth anything, or the workspace not be suspended.", {
          tenant: owner,
          code,
        });
      })
      .finally(() => this.#looking.delete(owner));
    this.#looking.set(owner, looking);
  }

  /** Resolves when nothing is being looked into. */
  async settled(): Promise<void> {
    await Promise.all(this.#looking.values());
  }

  /** Suspends the workspace if its token is worth nothing. */
  async #lookInto(owner: TenantId, token: Secret): Promise<"dealt with" | "good or unclear"> {
    const { current, departures, changed, log } = this.#parts;
    const saved = await current(owner);
    if (!saved) return "dealt with";
    if (saved.token.reveal() !== token.reveal()) {
      changed(owner);
      return "dealt with";
    }
    // A single method, or one workspace of an organisation, may be refused alone: the token itself is asked about.
    const code = await this.#verdict(token);
    if (code === undefined) return "good or unclear";
    if (code === unknownOrFromElsewhere && !(await this.#anotherWorks(saved))) {
      const why =
        "Slack takes no token from here: unknown, or this server's address is not among those the app allows. Nobody is suspended.";
      log.error(why, { tenant: owner, code });
      return "good or unclear";
    }
    // Installations that are newer than this one stay. The database counts finer than a Date does.
    const at = new Date(saved.installedAt.getTime() + 1);
    await departures.left(owner, `Slack does not accept its bot token any more (${code}).`, at);
    return "dealt with";
  }

  async #anotherWorks(than: SavedInstallation): Promise<boolean> {
    const another = await this.#parts.another(than);
    return another !== undefined && (await this.#verdict(another)) === undefined;
  }

  /** What Slack says of a dead token; undefined for one that works. Throws when it cannot be told. */
  #verdict(token: Secret): Promise<string | undefined> {
    const { apiUrl, log } = this.#parts;
    return slackClient(token, log, apiUrl)
      .auth.test()
      .then(
        () => undefined,
        (thrown: unknown) => {
          if (!saysTokenIsDead(thrown)) throw thrown;
          return slackErrorCode(thrown);
        },
      );
  }
}
