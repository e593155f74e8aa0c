import type { HomeView, Option } from "@slack/types";
import { type ChannelId, channelId } from "../../../core/ids.ts";
import { mayAudit } from "../../../permissions/app-roles.ts";
import { audienceOfOne } from "../../../permissions/audience.ts";
import { obstacleTo, type ToolChoices } from "../../../permissions/enabled-tools.ts";
import { atLeast } from "../../../permissions/roles.ts";
import { type Change, mayNotChange } from "../../../permissions/toggles.ts";
import type { Tool } from "../../../plugins/contract.ts";
import type { StoredTemplate } from "../../commands/command-store.ts";
import { chooseTemplate } from "../../commands/template-commands.ts";
import { readableSources, withCounts } from "../../documents/following/source-facts.ts";
import { clickKey } from "../click.ts";
import type { Clicked } from "../desk.ts";
import { plain } from "../parts.ts";
import { toolLines } from "../tools/tool-list.ts";
import { type HomeList, type HomeState, readHomeState, rowsPerPage, turned } from "./home-state.ts";
import { type HomeFacts, homeView } from "./home-view.ts";

/** The days that an admin's look at answers goes back, in milliseconds. */
const healthWindowMs = 7 * 24 * 60 * 60 * 1000;

/** Slack takes so many options at once. */
const mostOptions = 100;

/** What a click in a Home leads to: what is looked at next, and what is to be said about it. */
export interface HomeChange {
  readonly state: HomeState;
  readonly notice?: string;
}

/** Somebody's App Home as things stand now. */
export async function home(clicked: Clicked, { state, notice }: HomeChange): Promise<HomeView> {
  return homeView(await factsFor(clicked, state), state, clicked.words, notice);
}

/** Another page of one of the lists. */
export const turnHome = async ({ click }: Clicked): Promise<HomeChange> => ({
  state: turned(readHomeState(click.view?.metadata ?? ""), click.value),
});

/** Makes another template a channel's assistant, through the same door as `/footnote template use`. */
export async function chooseChannelTemplate(clicked: Clicked): Promise<HomeChange> {
  const { click, person, desk, parts, words } = clicked;
  const state = readHomeState(click.view?.metadata ?? "");
  const [, channel = ""] = /^template (\S{1,100}) /.exec(click.block ?? "") ?? [];
  const once = (attempts: Parameters<typeof desk.commands.take>[0]["attempts"]) => ({ key: clickKey(click), attempts });
  const attempt = { actor: person.id, action: "template-use" } as const;
  // The id proves nothing: an admin chooses for channels that they are in.
  const reads = (await desk.directory.channelsOf(person.id)).includes(channelId(channel));
  const template = (await desk.templates.list()).find(({ name }) => name === click.value);
  if (!reads || !template) {
    await desk.commands.take(once([{ ...attempt, subject: template?.name ?? "unknown" }]));
    return { state, notice: words.surface.refused };
  }
  const where = { tenant: click.tenant, channel: channelId(channel) };
  const chosen = await chooseTemplate(
    { person, desk, parts },
    once([{ ...attempt, subject: template.name, channel: where.channel }]),
    where,
    template,
  );
  return { state, ...(typeof chosen === "object" && { notice: words.surface.refused }) };
}

/** The templates whose title or name holds what an admin has typed, as options of a menu. */
export function templateOptions(typed: string, all: readonly StoredTemplate[]): Option[] {
  const wanted = typed.trim().toLowerCase();
  const found = all.filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(wanted));
  return found.slice(0, mostOptions).map(({ name, title }) => ({ text: plain(title), value: name.slice(0, 75) }));
}

async function factsFor(clicked: Clicked, state: HomeState): Promise<HomeFacts> {
  const { person, desk, parts, words } = clicked;
  const direct = await desk.directory.directMessage(person.id);
  const [choices, recent, connections, used, { person: budget }] = await Promise.all([
    desk.choices.read(direct, person.id),
    desk.home.recent(person.id, slice(state, "recent")),
    desk.connections?.of(person.id) ?? [],
    desk.usage.ofPerson(person.id),
    desk.usage.budgetsNow(),
  ]);
  const [ready, off] = [true, false].map((wanted) =>
    parts.tools.filter((tool) => (obstacleTo(tool, choices, person) === undefined) === wanted),
  );
  const linesOf = (tools: readonly Tool[] = []) => toolLines(tools, choices, person, words.tools.reason);
  const facts = {
    ...{
      isAdmin: false,
      ownRoles: person.granted ?? [],
      name: person.displayName,
      bot: desk.bot,
      connections,
      usage: { own: used, ...(budget !== undefined && { budget }) },
      recent: { rows: recent.answers, total: recent.total },
    },
    tools: { ready: linesOf(ready), off: linesOf(off) },
  };
  return { ...facts, ...(await steering(clicked, state, choices)) };
}

/** What is shown to those alone who may look at it or change it: admins, and who holds the app role for it. */
async function steering({ person, desk, parts }: Clicked, state: HomeState, choices: ToolChoices): Promise<Partial<HomeFacts>> {
  if (!atLeast(person.role, "admin") && person.granted === undefined) return {};
  const may = (change: Change, channel?: ChannelId) => mayNotChange(change, person, channel) === undefined;
  const audits = mayAudit(person);
  const own = await desk.directory.channelsOf(person.id);
  const choosesFor = own.filter((channel) => may("template", channel));
  const since = new Date(parts.clock.now().getTime() - healthWindowMs);
  const { principals } = audienceOfOne(person, own);
  const [channels, templates, documents, sources, health, worst, roles, spent, { workspace: budget }, servers] = await Promise.all([
    choosesFor.length > 0 || may("template") ? desk.home.channelTemplates(choosesFor, slice(state, "channels")) : undefined,
    desk.templates.list(),
    may("knowledge") ? desk.library.list({ principals, ...slice(state, "documents") }) : undefined,
    may("knowledge") ? readableSources(desk.sources, principals) : undefined,
    audits ? desk.home.health(since) : undefined,
    audits ? desk.feedback.worst(slice(state, "worst")) : undefined,
    audits ? desk.roles.list(parts.clock.now(), slice(state, "roles")) : undefined,
    audits ? desk.usage.ofWorkspace(0) : undefined,
    desk.usage.budgetsNow(),
    may("servers") ? desk.servers?.list() : undefined,
  ]);
  const titles = new Map(templates.map(({ name, title }) => [name, title]));
  return {
    isAdmin: atLeast(person.role, "admin"),
    ...(may("template") && { ownTemplates: templates.filter(({ version }) => version > 0).length }),
    ...(channels && {
      channels: {
        rows: channels.channels.map(({ channel, template }) => ({ channel, template, title: titles.get(template) ?? template })),
        total: channels.total,
      },
    }),
    ...((may("admin") || audits) && {
      policy: { flags: [...choices.flags].sort(), locked: [...choices.switchedOff.admin].sort(), changes: may("admin") },
    }),
    ...(documents && { documents: { rows: documents.documents, total: documents.total } }),
    ...(sources && {
      sources: {
        rows: await withCounts(desk.sources, sources.slice(slice(state, "sources").offset).slice(0, rowsPerPage)),
        total: sources.length,
      },
    }),
    ...(health && worst && { answers: { health, worst: { rows: worst.answers, total: worst.total } } }),
    ...(spent && { spending: { total: spent.total, ...(budget !== undefined && { budget }) } }),
    ...(servers && { servers: servers.length }),
    ...(roles && { roles: { rows: roles.grants, total: roles.total } }),
  };
}

const slice = (state: HomeState, list: HomeList) => ({ limit: rowsPerPage, offset: state[list] * rowsPerPage });
