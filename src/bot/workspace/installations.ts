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
}

/** Finds installations by workspace. Rejects when it cannot know (the database is down): that is never "none". */
export interface Installations {
  byTeam(teamId: string): Promise<Installation | undefined>;
}

/** Long enough to spare the database, short enough that a removed workspace is soon refused. */
const freshMs = 30_000;
/** How many workspaces are kept in memory. */
const kept = 1_000;

/** Installations with a short memory: they are looked up before every acknowledgement. Failures and absences are not remembered. */
export function cachedInstallations(source: Installations): Installations {
  const cache = new LRUCache<string, Promise<Installation | undefined>>({ max: kept, ttl: freshMs });
  return {
    byTeam(teamId) {
      const known = cache.get(teamId);
      if (known) return known;
      const asked = source.byTeam(teamId);
      cache.set(teamId, asked);
      const forget = () => {
        if (cache.peek(teamId) === asked) cache.delete(teamId);
      };
      asked.then((found) => found ?? forget(), forget);
      return asked;
    },
  };
}
