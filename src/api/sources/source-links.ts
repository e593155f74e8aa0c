import { createHmac, timingSafeEqual } from "node:crypto";
import type { SourceLinks } from "../../agent/ports.ts";
import type { Clock } from "../../core/clock.ts";
import {
  type ChannelId,
  channelId,
  isUuid,
  type PassageId,
  type PersonId,
  passageId,
  personId,
  type TenantId,
  tenantId,
} from "../../core/ids.ts";

/** How long a link in an answer opens: long enough to come back to a thread, short enough that a leaked one dies. */
export const linkLifetimeMs = 7 * 24 * 60 * 60 * 1000;

/** What a link points at, and for which readers it was made. */
export interface OpenedLink {
  readonly tenant: TenantId;
  readonly passage: PassageId;
  readonly channel: ChannelId;
  readonly person: PersonId;
}

/** Where source pages live under the public address. */
export const sourcesPath = "/sources/";

/**
 * Makes and opens the addresses below an answer. A link is signed (HMAC-SHA-256) and ends after `linkLifetimeMs`; it carries ids
 * only. It is no permission in itself: whoever opens it gets what the answer's readers may see at that moment.
 */
export class SourceLinkSigner {
  readonly #key: Buffer;
  readonly #publicUrl: () => string;
  readonly #clock: Clock;

  /** @param publicUrl the address people reach this program under, without a slash at the end; known once the server listens */
  constructor(key: Buffer, publicUrl: () => string, clock: Clock) {
    this.#key = key;
    this.#publicUrl = publicUrl;
    this.#clock = clock;
  }

  forTenant(tenant: TenantId): SourceLinks {
    return {
      passage: (passage, { channel, person }) => {
        const fields = [tenant, passage, channel, person, String(this.#clock.now().getTime() + linkLifetimeMs)];
        const payload = Buffer.from(fields.join(" ")).toString("base64url");
        return `${this.#publicUrl()}${sourcesPath}${payload}.${this.#sign(payload)}`;
      },
    };
  }

  /** What a token says, "expired" when it was ours but is over, undefined when it was never ours. */
  open(token: string): OpenedLink | "expired" | undefined {
    const [payload = "", signature = "", ...rest] = token.split(".");
    if (rest.length > 0 || !equal(signature, this.#sign(payload))) return undefined;
    const [tenant = "", passage = "", channel = "", person = "", expires = ""] = Buffer.from(payload, "base64url").toString().split(" ");
    if (!isUuid(tenant) || !isUuid(passage)) return undefined;
    if (Number(expires) <= this.#clock.now().getTime()) return "expired";
    return { tenant: tenantId(tenant), passage: passageId(passage), channel: channelId(channel), person: personId(person) };
  }

  #sign(payload: string): string {
    return createHmac("sha256", this.#key).update(`source-link ${payload}`).digest("base64url");
  }
}

function equal(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
