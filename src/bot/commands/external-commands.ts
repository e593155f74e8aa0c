import { atLeast } from "../../permissions/roles.ts";
import { definitionText } from "../../plugins/definition-text.ts";
import { isForm, type KnownTool, shownFingerprint, type ToolApprovals } from "../../plugins/external-tools.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import type { Catalogue } from "../words/catalogue.ts";
import type { ExternalCommand } from "./command.ts";
import type { Reply, Work } from "./given.ts";
import { messagesOf } from "./reply.ts";

/** Tools of external servers, for a workspace's admins: which there are, how they are defined, and which may be called. */
export async function decideExternal({ given, person, desk, words: { approvals: words } }: Work, command: ExternalCommand): Promise<Reply> {
  if (command.verb === "logout") {
    // Everybody's own affair.
    if (!(await desk.commands.take({ key: given.key, attempts: [] }))) return undefined;
    const name = plainMrkdwn(command.name.slice(0, 80));
    const had = await desk.logOut?.(command.name, given.person);
    return messagesOf([had ? words.external.loggedOut(name) : words.external.wasNotLoggedIn(name)]);
  }
  const { external: tools } = desk;
  const changes = command.verb === "approve" || command.verb === "revoke";
  const attempts = changes
    ? [{ actor: given.person, action: `external-${command.verb}` as const, subject: command.name.slice(0, 64), channel: given.channel }]
    : [];
  const mayDecide = atLeast(person.role, "admin");
  // What is done is noted with it; here only what is refused.
  const first = await desk.commands.take({ key: given.key, attempts: mayDecide ? [] : attempts });
  if (!first) return undefined;
  if (!mayDecide) return messagesOf([words.external.adminsOnly]);
  const known = (await tools?.list()) ?? [];
  if (command.verb === "list" || !tools)
    return messagesOf(
      known.length > 0 ? known.map((tool) => lineOf(tool, words)) : [words.external.none],
      known.length > 0 ? words.external.usage : undefined,
    );

  const tool = known.find(({ name }) => name === command.name);
  if (!tool) return messagesOf([words.external.unknown(plainMrkdwn(command.name.slice(0, 80)))]);
  if (command.verb === "show")
    return messagesOf([lineOf(tool, words), ...definitionText(tool).split("\n").map(plainMrkdwn)], words.external.usage);
  return messagesOf([await change(tools, tool, command, given.person, words)]);
}

async function change(
  tools: ToolApprovals,
  tool: KnownTool,
  { verb, fingerprint, effect }: ExternalCommand,
  actor: string,
  words: Catalogue["approvals"],
): Promise<string> {
  const name = plainMrkdwn(tool.name);
  if (verb === "revoke")
    return (await tools.revoke([tool.name], actor)).length > 0 ? words.external.revoked(name) : words.external.wasNot(name);
  const approved = isForm(fingerprint, tool.fingerprint)
    ? await tools.approve(new Map([[tool.name, tool.fingerprint]]), effect, actor)
    : [];
  return approved.length > 0 ? words.external.approved(name) : words.external.otherForm(name);
}

const lineOf = ({ name, fingerprint, status, effect }: KnownTool, words: Catalogue["approvals"]): string =>
  `\`${name}@${shownFingerprint(fingerprint)}\` ${words.external.status[status]}${effect === undefined ? "" : `, ${effect}`}`;
