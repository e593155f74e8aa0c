import { appRoles } from "../../permissions/app-roles.ts";
import { closest } from "../../permissions/named-tools.ts";
import { canonicalName } from "../../permissions/tool-name.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import { grantRole, revokeRole, usualDays } from "../surfaces/roles/grant-role.ts";
import type { RoleOf } from "../surfaces/roles/role-store.ts";
import { grantedSentence, revokedSentence } from "../surfaces/roles/roles.ts";
import type { RoleCommand } from "./command.ts";
import type { Reply, Work } from "./given.ts";
import { messagesOf } from "./reply.ts";

/** `/footnote role grant` and `revoke`: the same as in the modal, typed. */
export async function decideRole({ given, person, desk, parts, words }: Work, command: RoleCommand): Promise<Reply> {
  const said = words.roles;
  const tell = async (line: string): Promise<Reply> =>
    (await desk.commands.take({ key: given.key, attempts: [] })) ? messagesOf([line]) : undefined;
  const role = appRoles.find((each) => canonicalName(each) === canonicalName(command.role));
  if (!role) {
    const meant = closest(canonicalName(command.role).replaceAll("_", "-"), appRoles);
    return tell(said.unknownRole(plainMrkdwn(command.role), (meant ? [meant] : appRoles).map((name) => `\`${name}\``).join(", ")));
  }
  const holder = await desk.directory.findPerson(command.person);
  if (!holder) return tell(said.unknownPerson(plainMrkdwn(command.person)));
  if (command.here && given.direct) return tell(words.commands.noThread);
  const which: RoleOf = { person: holder.id, role, ...(command.here && { channel: given.channel }) };
  const acting = { person, desk, clock: parts.clock };
  if (command.verb === "revoke") {
    const sentence = revokedSentence(await revokeRole(acting, given.key, which), which, words);
    return sentence === "" ? undefined : messagesOf([sentence]);
  }
  const { outcome, until } = await grantRole(acting, given.key, which, command.days ?? usualDays);
  const sentence = grantedSentence(outcome, which, until, words);
  return sentence === "" ? undefined : messagesOf([sentence]);
}
