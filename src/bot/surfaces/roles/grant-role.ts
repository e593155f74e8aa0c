import type { Clock } from "../../../core/clock.ts";
import type { PersonId } from "../../../core/ids.ts";
import { mayGrant, mayHold } from "../../../permissions/app-roles.ts";
import type { GrantedRole, Person } from "../../../permissions/directory.ts";
import type { Attempt } from "../../commands/command-store.ts";
import type { TenantDesk } from "../../commands/given.ts";
import type { RoleOf } from "./role-store.ts";

/** Shortest and longest time for which a role is given, and what is taken when nobody says how long, in days. */
const shortestDays = 1;
const longestDays = 365;
export const usualDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

interface RoleParts {
  /** Who acts. */
  readonly person: Person;
  readonly desk: Pick<TenantDesk, "directory" | "roles" | "commands">;
  readonly clock: Pick<Clock, "now">;
}

/** What became of giving or taking back a role. */
export type RoleOutcome = "changed" | "unchanged" | "seen" | "not-yours" | "not-member";

/**
 * Somebody as Slack describes them at this moment, with the app roles that count at this moment: for deciding what they may change and what
 * they are shown. Undefined when Slack does not know or cannot tell.
 */
export async function actingPerson(
  { directory, roles }: Pick<TenantDesk, "directory" | "roles">,
  id: PersonId,
  clock: Pick<Clock, "now">,
): Promise<Person | undefined> {
  const person = await directory.personNow(id);
  if (!person) return undefined;
  const granted: readonly GrantedRole[] = mayHold(person) ? await roles.of(id, clock.now()) : [];
  return granted.length > 0 ? { ...person, granted } : person;
}

/**
 * Gives a role, if the person may and the other is a full member at this moment: the one way there is, whether it was typed or clicked. A
 * refusal is noted in the audit log.
 */
export async function grantRole(
  { person, desk, clock }: RoleParts,
  key: string,
  which: RoleOf,
  days: number,
): Promise<{ readonly outcome: RoleOutcome; readonly until: Date }> {
  const now = clock.now();
  const until = new Date(now.getTime() + Math.min(Math.max(Math.trunc(days) || usualDays, shortestDays), longestDays) * dayMs);
  const once = { key, attempts: [attempt(person, "role-grant", which, until)] };
  const refused = async (why: RoleOutcome) => ({ outcome: (await desk.commands.take(once)) ? why : "seen", until }) as const;
  if (!(await mayDecide(person, which, desk))) return refused("not-yours");
  const other = await desk.directory.personNow(which.person);
  if (!other || !mayHold(other)) return refused("not-member");
  return { outcome: await desk.roles.grant(once, { ...which, until, grantedBy: person.id }, now), until };
}

/** Takes a role back, in the same way. Everybody may give up their own. */
export async function revokeRole({ person, desk, clock }: RoleParts, key: string, which: RoleOf): Promise<RoleOutcome> {
  const once = { key, attempts: [attempt(person, "role-revoke", which)] };
  const own = which.person === person.id && mayHold(person);
  if (!own && !(await mayDecide(person, which, desk))) return (await desk.commands.take(once)) ? "not-yours" : "seen";
  return desk.roles.revoke(once, which, clock.now());
}

/** An admin decides for channels that they are in; the channel's id proves nothing. */
async function mayDecide(person: Person, { role, channel }: RoleOf, { directory }: RoleParts["desk"]): Promise<boolean> {
  if (!mayGrant(person, role, channel)) return false;
  return channel === undefined || (await directory.channelsOf(person.id)).includes(channel);
}

const attempt = ({ id }: Person, action: "role-grant" | "role-revoke", { person, role, channel }: RoleOf, until?: Date): Attempt => ({
  actor: id,
  action,
  subject: `${role} ${person}${until ? ` until ${until.toISOString()}` : ""}`,
  ...(channel && { channel }),
});
