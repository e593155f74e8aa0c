import { atLeast, takesPart } from "../../permissions/roles.ts";
import { mayNotChange } from "../../permissions/toggles.ts";
import { definitionText } from "../../plugins/definition-text.ts";
import type { ExternalReport } from "../../plugins/external-report.ts";
import { isForm, type KnownTool, shownFingerprint, type ToolApprovals } from "../../plugins/external-tools.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import type { Catalogue } from "../words/catalogue.ts";
import type { ExternalCommand } from "./command.ts";
import type { Reply, Work } from "./given.ts";
import { messagesOf } from "./reply.ts";

/** Tools of external servers, for a workspace's admins: which there are, how they are defined, and which may be called. */
export async function decideExternal(work: Work, command: ExternalCommand): Promise<Reply> {
  const { given, person, desk, words: all } = work;
  const { approvals: words } = all;
  if (command.verb === "connect" || command.verb === "logout") return ownLogin(work, command);
  if (command.verb === "add" || command.verb === "remove") return ownServer(work, command);
  const { external: tools } = desk;
  const changes = command.verb === "approve" || command.verb === "revoke";
  const attempts = changes
    ? [{ actor: given.person, action: `external-${command.verb}` as const, subject: command.name.slice(0, 64), channel: given.channel }]
    : [];
  const mayDecide = atLeast(person.role, "admin");
  // What is done is noted with it; here only what is refused.
  const first = await desk.commands.take({ key: given.key, attempts: mayDecide ? [] : attempts });
  if (!first) return undefined;
  if (command.verb === "list" && takesPart(person)) return list(work, mayDecide);
  if (!mayDecide || !tools) return messagesOf([mayDecide ? words.external.none : words.external.adminsOnly]);
  const known = await tools.list();
  const tool = known.find(({ name }) => name === command.name);
  if (!tool) return messagesOf([words.external.unknown(plainMrkdwn(command.name.slice(0, 80)))]);
  if (command.verb === "show")
    return messagesOf([lineOf(tool, words), ...definitionText(tool).split("\n").map(plainMrkdwn)], words.external.usage);
  return messagesOf([await change(tools, tool, command, given.person, words)]);
}

/** A server of the workspace's own: removed at once, added in a form alone. */
async function ownServer({ given, person, desk, words }: Work, { verb, name }: ExternalCommand): Promise<Reply> {
  const { servers: said } = words;
  const subject = name.slice(0, 40);
  const refused = mayNotChange("servers", person) !== undefined;
  if (refused || verb === "add" || !desk.servers) {
    const attempts = refused
      ? [{ actor: given.person, action: `server-${verb as "add" | "remove"}` as const, subject, channel: given.channel }]
      : [];
    if (!(await desk.commands.take({ key: given.key, attempts }))) return undefined;
    return messagesOf([refused ? words.commands.refusal("servers", person) : desk.servers ? said.addedInForm : said.off]);
  }
  const outcome = await desk.servers.remove(name, { key: given.key, actor: given.person, channel: given.channel });
  if (outcome === "seen") return undefined;
  return messagesOf([said[outcome](plainMrkdwn(subject))]);
}

/** Everybody's own affair: a private link to log in with, or the end of a log-in. */
async function ownLogin({ given, person, desk, words }: Work, { verb, name }: ExternalCommand): Promise<Reply> {
  if (!(await desk.commands.take({ key: given.key, attempts: [] }))) return undefined;
  if (!takesPart(person)) return messagesOf([words.commands.outsider]);
  const { external: said } = words.approvals;
  const shown = plainMrkdwn(name.slice(0, 80));
  if (verb === "logout")
    return messagesOf([(await desk.connections?.logOut(name, person.id)) ? said.loggedOut(shown) : said.wasNotLoggedIn(shown)]);
  const link = await desk.connections?.link(name, person.id);
  return messagesOf([link === undefined ? said.noLogIn(shown) : words.login.here(shown, link)]);
}

/** What `footnote mcp list` prints, for admins; for everybody their own log-ins. */
async function list({ person, desk, words }: Work, mayDecide: boolean): Promise<Reply> {
  const { external: said } = words.approvals;
  const own = (await desk.connections?.of(person.id)) ?? [];
  const connections = own.map(({ title, server, host, state }) =>
    words.login.connection(`${plainMrkdwn(title)} (${server})`, host && plainMrkdwn(host), state),
  );
  const usage = [
    ...(own.length > 0 ? [said.ownUsage] : []),
    ...(mayDecide ? [said.usage, ...(desk.servers ? [said.serverUsage] : [])] : []),
  ].join("\n");
  const report = mayDecide ? await desk.externalReport?.() : undefined;
  const lines = [...(report ? reportLines(report, words.approvals) : []), ...connections];
  if (lines.length === 0)
    return messagesOf([mayDecide ? said.none : said.adminsOnly], mayDecide && desk.servers ? said.serverUsage : undefined);
  return messagesOf(lines, usage);
}

const reportLines = ({ servers, tools }: ExternalReport, words: Catalogue["approvals"]): readonly string[] => [
  ...servers.flatMap(({ name, problem, leftOut }) => [
    words.external.server(plainMrkdwn(name), problem === null ? undefined : plainMrkdwn(problem)),
    ...leftOut.map((tool) => words.external.leftOut(plainMrkdwn(tool.name), plainMrkdwn(tool.reason))),
  ]),
  ...tools.map((tool) => lineOf(tool, words)),
];

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

const lineOf = ({ name, fingerprint, status, effect }: ListedTool, words: Catalogue["approvals"]): string =>
  `\`${name}@${shownFingerprint(fingerprint)}\` ${words.external.status[status]}, ${effect ?? words.external.asks}`;

type ListedTool = Pick<KnownTool, "name" | "fingerprint" | "status"> & { readonly effect?: KnownTool["effect"] | null };
