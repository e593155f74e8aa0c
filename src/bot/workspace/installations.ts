import { LRUCache } from "lru-cache";
import type { PersonId, TenantId } from "../../core/ids.ts";
import type { Secret } from "../../core/secret.ts";

/** The app as one workspace has installed it: whose data, whose token, which bot user. */
export interface Installation {
  readonly tenant: TenantId;
  readonly teamId: string;
  /** Slack's id of the app; checked against every delivery when known. */
  readonly appId?: string;
  readonly botUserId: PersonId;
  readonly token: Secret;
  /** Present when the token is an organisation's, which serves several workspaces: calls must then say which one is meant. */
  readonly organisation?: TenantId;
}

/** Finds installations by workspace. Rejects when it cannot know (the database is down): that is never "none". */
export interface Installations {
  /** @param organisation Slack's id (E...) of the organisation that has installed the app, when the delivery names one */
  byTeam(teamId: string, organisation?: string): Promise<Installation | undefined>;
}

/** Installations as this process remembers them. */
export interface CachedInstallations extends Installations {
  /** A tenant's installation has ended: the next look is at the database. */
  forget(tenant: TenantId): void;
}

/** Long enough to spare the database, short enough that a removed workspace is soon refused. */
const freshMs = 30_000;
/** How many workspaces are kept in memory. */
const kept = 1_000;

/** Installations with a short memory: they are looked up before every acknowledgement. Failures and absences are not remembered. */
export function cachedInstallations(source: Installations): CachedInstallations {
  const cache = new LRUCache<string, Promise<Installation | undefined>>({ max: kept, ttl: freshMs });
  return {
    byTeam(teamId, organisation) {
      const key = `${teamId} ${organisation ?? ""}`;
      const known = cache.get(key);
      if (known) return known;
      const asked = source.byTeam(teamId, organisation);
      cache.set(key, asked);
      const forget = () => {
        if (cache.peek(key) === asked) cache.delete(key);
      };
      asked.then((found) => found ?? forget(), forget);
      return asked;
    },
    forget(tenant) {
      for (const [key, known] of cache.entries()) {
        known.then(
          (found) => found?.tenant === tenant && cache.peek(key) === known && cache.delete(key),
          () => undefined,
        );
      }
    },
  };
}
