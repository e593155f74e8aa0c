import type { PersonId } from "../../../core/ids.ts";

/** An external server as one person stands to it. */
export interface Connection {
  readonly server: string;
  readonly title: string;
  /** Where it is. Absent when the operator no longer lists it. */
  readonly host?: string;
  /** "ended": what is kept of an earlier log-in is worth nothing any more. */
  readonly state: "connected" | "ended" | "none";
}

/** People's own log-ins at one tenant's external servers. */
export interface TenantConnections {
  /** All servers at which people log in for themselves, and those at which something of this person's is kept still. */
  of(person: PersonId): Promise<readonly Connection[]>;
  /** A private link to log in with; undefined where nobody logs in. */
  link(server: string, person: PersonId): Promise<string | undefined>;
  /** Destroys what is kept of a log-in. False when there was none. */
  logOut(server: string, person: PersonId): Promise<boolean>;
}
