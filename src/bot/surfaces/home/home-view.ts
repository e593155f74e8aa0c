import type { HeaderBlock, HomeView, KnownBlock } from "@slack/types";
import type { RatedAnswer } from "../../../agent/feedback.ts";
import type { DocumentSummary } from "../../../knowledge/library.ts";
import type { GrantedRole } from "../../../permissions/directory.ts";
import type { Connection } from "../../approvals/login/connections.ts";
import { followBlock, sourceBlocks } from "../../documents/following/source-blocks.ts";
import type { CountedSource } from "../../documents/following/source-facts.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import { questionText } from "../../turns/question-text.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { shorten } from "../answer/activity.ts";
import { context, section, slackDate } from "../blocks.ts";
import { actions, button, mostBlocks, pageBlocks, plain } from "../parts.ts";
import type { RoleGrant } from "../roles/role-store.ts";
import { placeOf } from "../roles/roles-modal.ts";
import { usageLine } from "../usage/usage-modal.ts";
import type { MonthUsage } from "../usage/usage-store.ts";
import { connectionBlocks } from "./connections.ts";
import { type HomeList, type HomeState, rowsPerPage } from "./home-state.ts";
import type { AnswerHealth, RecentAnswer } from "./home-store.ts";

/** One page of a list. */
export interface Listed<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** Everything that stands in somebody's Home. */
export interface HomeFacts {
  readonly name: string;
  readonly bot: string;
  /** What is to be said of each tool. */
  readonly tools: { readonly ready: readonly string[]; readonly off: readonly string[] };
  /** What the person has used this month, and may. */
  readonly usage: { readonly own: MonthUsage; readonly budget?: number };
  readonly recent: Listed<RecentAnswer>;
  readonly connections: readonly Connection[];
  /** App roles that they hold. */
  readonly ownRoles: readonly GrantedRole[];
  readonly isAdmin: boolean;
  /** Of who writes templates: how many the workspace has beside the built-in ones. */
  readonly ownTemplates?: number;
  /** The following is present for those who may look at it. */
  readonly answers?: { readonly health: AnswerHealth; readonly worst: Listed<RatedAnswer> };
  readonly channels?: Listed<{ readonly channel: string; readonly template: string; readonly title: string }>;
  /** What everybody has used this month, and may. */
  readonly spending?: { readonly total: MonthUsage; readonly budget?: number };
  /** Feature flags that the operator has set for the workspace, names of tools that are locked, and whether the person may change locks. */
  readonly policy?: { readonly flags: readonly string[]; readonly locked: readonly string[]; readonly changes: boolean };
  /** How many external servers the workspace has of its own. */
  readonly servers?: number;
  readonly documents?: Listed<DocumentSummary>;
  readonly sources?: Listed<CountedSource>;
  readonly roles?: Listed<RoleGrant>;
}

const longestQuestion = 140;
const longestComment = 200;
const toolLinesShown = 12;
const ownRolesShown = 20;

/** Somebody's App Home. @param notice a sentence above everything, e.g. why the last click changed nothing */
export function homeView(facts: HomeFacts, state: HomeState, words: Catalogue, notice?: string): HomeView {
  const said = words.home;
  const { ready, off } = facts.tools;
  const shown = (lines: readonly string[]): string => {
    const hidden = lines.length - toolLinesShown;
    return [...lines.slice(0, toolLinesShown), ...(hidden > 0 ? [said.moreTools(hidden)] : [])].join("\n").slice(0, 2_900);
  };
  const blocks: KnownBlock[] = [
    ...(notice ? [context(`:no_entry: ${notice}`)] : []),
    header(said.hello(facts.name)),
    section(said.intro),
    section(said.how.map((line) => `• ${line}`).join("\n")),
    { type: "divider" },
    header(said.tools),
    { ...section(`${said.ready(ready.length)}\n${shown(ready)}`.trim()), accessory: button("show_tools", said.toolsButton, "home") },
    ...(off.length > 0 ? [context(shown(off))] : []),
    { type: "divider" },
    header(said.assistants),
    {
      ...section(
        facts.ownTemplates === undefined
          ? said.assistantsLine
          : [said.assistantsLine, said.assistantsAdmin, ...(facts.ownTemplates === 0 ? [said.noneYet] : [])].join(" "),
      ),
      accessory: button("show_templates", said.assistantsButton, "home"),
    },
    ...(facts.ownTemplates === undefined ? [] : [actions("home_templates", [button("template_new", said.newTemplate, "new")])]),
    { type: "divider" },
    header(said.recent),
    ...(facts.recent.total === 0 ? [context(said.noRecent)] : facts.recent.rows.map((row) => recentBlock(row, facts.bot, words))),
    ...listPages("recent", facts.recent, state, words),
    usageBlock(`${said.thisMonth} ${usageLine(facts.usage.own, facts.usage.budget, words)}`, words.usage.button, "own"),
    ...connectionBlocks(facts.connections, words),
    ...ownRoleBlocks(facts.ownRoles, words),
    ...steeringBlocks(facts, state, words),
  ];
  return { type: "home", private_metadata: JSON.stringify(state), blocks: blocks.slice(0, mostBlocks) };
}

function ownRoleBlocks(roles: readonly GrantedRole[], words: Catalogue): KnownBlock[] {
  const said = words.roles;
  const lines = roles.map(({ role, channel, until }) => `• ${said.lineOwn(said.names[role], placeOf(channel, words), slackDate(until))}`);
  if (lines.length === 0) return [];
  return [
    { type: "divider" },
    header(said.yours),
    { ...section(lines.slice(0, ownRolesShown).join("\n")), accessory: button("show_roles", words.home.seeRoles, "home") },
  ];
}

/** What is for admins, or for who holds a role: each part by itself. */
function steeringBlocks(facts: HomeFacts, state: HomeState, words: Catalogue): KnownBlock[] {
  const said = words.home;
  const { answers, channels, policy, servers, documents, sources, roles, spending } = facts;
  const parts = [
    ...(answers ? answerBlocks(answers, state, words) : []),
    ...(spending
      ? [usageBlock(`*${said.usage}*\n${usageLine(spending.total, spending.budget, words)}`, words.usage.buttonAdmin, "all")]
      : []),
    ...(channels ? channelBlocks(channels, state, words) : []),
    ...(policy ? [policyBlock(policy, words)] : []),
    ...(servers === undefined ? [] : [serversBlock(servers, words)]),
    ...(documents ? documentBlocks(documents, state, words) : []),
    ...(sources ? [...sourceBlocks(sources, words), ...listPages("sources", sources, state, words), followBlock(words)] : []),
    ...(roles ? roleBlocks(roles, state, words) : []),
  ];
  return parts.length === 0 ? [] : [{ type: "divider" }, header(facts.isAdmin ? said.admin : said.forRoles), ...parts];
}

function answerBlocks({ health, worst }: NonNullable<HomeFacts["answers"]>, state: HomeState, words: Catalogue): KnownBlock[] {
  const said = words.home;
  const line = said.healthLine(health.answers, health.failed, (health.medianMs / 1_000).toFixed(1));
  return [
    section(`*${said.health}*\n${line} · ${said.thumbs(health.up, health.down)}`),
    section(`*${said.worst}*`),
    ...(worst.total === 0 ? [context(said.noWorst)] : worst.rows.map((row) => worstBlock(row, words))),
    ...listPages("worst", worst, state, words),
  ];
}

/** @param value only to tell the two buttons apart */
const usageBlock = (text: string, label: string, value: string): KnownBlock => ({
  ...section(text),
  accessory: button("show_usage", label, value),
});

const channelBlocks = (channels: NonNullable<HomeFacts["channels"]>, state: HomeState, words: Catalogue): KnownBlock[] => [
  section(`*${words.home.channels}*`),
  ...(channels.total === 0 ? [context(words.home.noChannels)] : channels.rows.map((row) => channelBlock(row, words))),
  ...listPages("channels", channels, state, words),
  context(words.home.channelHint),
];

function policyBlock({ flags, locked, changes }: NonNullable<HomeFacts["policy"]>, { home: said }: Catalogue): KnownBlock {
  const policy = locked.length > 0 ? said.locked(locked.map((name) => `\`${name}\``).join(", ")) : said.nothingLocked;
  const released = flags.length > 0 ? said.released(flags.map((flag) => `\`${plainMrkdwn(flag)}\``).join(", ")) : said.nothingReleased;
  const block = section(`*${said.policy}*\n${policy}\n${released}`);
  return changes ? { ...block, accessory: button("show_policy", said.toolsButton, "admin") } : block;
}

const serversBlock = (count: number, { servers: said }: Catalogue): KnownBlock => ({
  ...section(`*${said.title}*\n${said.home(count)}`),
  accessory: button("show_servers", said.manage, "home"),
});

const documentBlocks = (documents: NonNullable<HomeFacts["documents"]>, state: HomeState, words: Catalogue): KnownBlock[] => [
  section(`*${words.home.documents}* (${documents.total})`),
  ...(documents.total === 0 ? [context(words.home.noDocuments)] : documents.rows.map((row) => documentBlock(row, words))),
  ...listPages("documents", documents, state, words),
];

function roleBlocks(roles: NonNullable<HomeFacts["roles"]>, state: HomeState, words: Catalogue): KnownBlock[] {
  const said = words.roles;
  const lines = roles.rows.map(({ person, role, channel, until }) =>
    said.line(`<@${person}>`, said.names[role], placeOf(channel, words), slackDate(until)),
  );
  return [
    {
      ...section([`*${said.title}*`, ...(lines.length > 0 ? lines : [said.noneGiven])].join("\n")),
      accessory: button("show_roles", words.home.seeRoles, "admin"),
    },
    ...listPages("roles", roles, state, words),
  ];
}

const header = (text: string): HeaderBlock => ({ type: "header", text: plain(text, 150) });

function recentBlock({ trace, channel, answeredAt, failed, cites, question }: RecentAnswer, bot: string, words: Catalogue): KnownBlock {
  const said = words.home;
  const asked = questionText(question, bot, { person: () => undefined, channel: () => undefined });
  const facts = [said.recentLine(placeName(channel, words), slackDate(answeredAt)), ...(failed ? [said.failed] : [])].join(" · ");
  const block = section(`*${plainMrkdwn(shorten(asked, longestQuestion)) || "–"}*\n${facts}`);
  return { ...block, block_id: `recent ${trace}`, ...(cites && { accessory: button("show_sources", said.sources, trace) }) };
}

function worstBlock({ trace, channel, answeredAt, down, up, comments }: RatedAnswer, words: Catalogue): KnownBlock {
  const said = words.home;
  const lines = comments.map(({ person, text }) => `> <@${person}>: ${plainMrkdwn(shorten(text, longestComment))}`);
  return section(
    [said.worstLine(placeName(channel, words), slackDate(answeredAt), down, up), ...lines, `${said.trace} \`${trace}\``].join("\n"),
  );
}

function channelBlock({ channel, template, title }: { channel: string; template: string; title: string }, words: Catalogue): KnownBlock {
  return {
    ...section(`<#${channel}>\n${plainMrkdwn(title)}`),
    // Of its own for every choice: otherwise Slack keeps showing the old one.
    block_id: `template ${channel} ${template}`.slice(0, 255),
    accessory: {
      type: "external_select",
      action_id: "channel_template",
      placeholder: plain(words.home.chooseTemplate),
      initial_option: { text: plain(title), value: template.slice(0, 75) },
      min_query_length: 0,
    },
  };
}

const documentBlock = ({ title, pages, passages, updatedAt }: DocumentSummary, words: Catalogue): KnownBlock =>
  section(`${plainMrkdwn(shorten(title, longestQuestion))}\n${words.home.documentLine(pages, passages, slackDate(updatedAt))}`);

/** The way to a list's other pages, when it has any. */
function listPages(list: HomeList, { total }: Listed<unknown>, state: HomeState, words: Catalogue): KnownBlock[] {
  const pages = Math.ceil(total / rowsPerPage);
  const page = Math.min(state[list], pages - 1);
  return pageBlocks({ page, pages, previous: "home_previous", next: "home_next" }, words, (to) => `${list} ${to}`);
}

const placeName = (channel: string, words: Catalogue): string => (channel.startsWith("D") ? words.home.direct : `<#${channel}>`);
