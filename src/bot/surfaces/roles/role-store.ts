import type { ChannelId, PersonId } from "../../../core/ids.ts";
import type { AppRole, GrantedRole } from "../../../permissions/directory.ts";
import type { Once } from "../../commands/command-store.ts";
import type { Slice } from "../home/home-store.ts";

/** One person's role in the workspace, or in one channel. */
export interface RoleOf {
  readonly person: PersonId;
  readonly role: AppRole;
  readonly channel?: ChannelId;
}

/** A role as it was given. */
export interface RoleGrant extends RoleOf, GrantedRole {
  readonly grantedBy: PersonId;
}

/** The app roles of one tenant's people. What has expired at `now` is never told. */
export interface TenantRoles {
  of(person: PersonId, now: Date): Promise<readonly GrantedRole[]>;
  /** Those that end first come first. @param person only theirs */
  list(now: Date, slice: Slice, person?: PersonId): Promise<{ readonly grants: readonly RoleGrant[]; readonly total: number }>;
  /** Gives a role, or another end to one that was given before. One transaction with its line in the audit log, as the next one. */
  grant(once: Once, grant: RoleGrant, now: Date): Promise<"changed" | "seen">;
  revoke(once: Once, which: RoleOf, now: Date): Promise<"changed" | "unchanged" | "seen">;
}
