import type { KnownBlock, ModalView, SectionBlock } from "@slack/types";
import type { ChannelTemplate } from "../../../agent/templates/template.ts";
import { channelId } from "../../../core/ids.ts";
import type { Person } from "../../../permissions/directory.ts";
import { type Obstacle, obstacleTo, type ToolChoices } from "../../../permissions/enabled-tools.ts";
import { mayNotChange, type ToggleScope, toggleScopes } from "../../../permissions/toggles.ts";
import { canonicalName } from "../../../permissions/tool-name.ts";
import type { Tool } from "../../../plugins/contract.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { context, section } from "../blocks.ts";
import { modal, pageBlocks, plain } from "../parts.ts";

/** Where tools are switched, and for whom. */
export interface PanelState {
  /** Whose panel it is. */
  readonly person: string;
  readonly channel: string;
  readonly thread?: string;
  readonly direct: boolean;
  readonly scope: ToggleScope;
  /** 0-based. */
  readonly page: number;
}

export interface PanelFacts {
  readonly tools: readonly Tool[];
  readonly choices: ToolChoices;
  readonly template: ChannelTemplate | undefined;
  readonly person: Person;
}

/** Tools a page: with all around them far below the 100 blocks that Slack takes. */
const perPage = 20;

/** The scopes in which this person may switch at this place, the narrowest last. */
export const scopesFor = (
  { thread, direct, channel }: Pick<PanelState, "thread" | "direct" | "channel">,
  person: Person,
): readonly ToggleScope[] =>
  toggleScopes.filter(
    (scope) =>
      mayNotChange(scope, person, scope === "channel" ? channelId(channel) : undefined) === undefined &&
      (scope !== "thread" || thread !== undefined) &&
      (scope !== "channel" || !direct),
  );

/** What can be done to a tool in one scope: to switch it off, to take that back, or nothing, since something else keeps it off. */
export function offeredSwitch(
  tool: Tool,
  scope: ToggleScope,
  { choices, person }: Pick<PanelFacts, "choices" | "person">,
): "on" | "off" | undefined {
  if (isOff(tool, scope, choices)) return "on";
  const obstacle = obstacleTo(tool, choices, person);
  if (!obstacle) return "off";
  if (obstacle.kind === "template") return scope === "channel" ? "on" : undefined;
  const at = toggleScopes.indexOf(obstacle.kind as ToggleScope);
  return at > toggleScopes.indexOf(scope) ? "off" : undefined;
}

const isOff = ({ name }: Tool, scope: ToggleScope, { switchedOff }: ToolChoices): boolean =>
  [...switchedOff[scope]].some((off) => canonicalName(off) === canonicalName(name));

/** Every tool with its state, why it is off, and a button for the chosen scope. @param refusal why the last click changed nothing */
export function toolsModal(state: PanelState, facts: PanelFacts, words: Catalogue, refusal?: string): ModalView {
  const { tools, template } = facts;
  const pages = Math.max(1, Math.ceil(tools.length / perPage));
  const page = Math.min(Math.max(0, state.page), pages - 1);
  const shown = tools.slice(page * perPage, (page + 1) * perPage);
  const said = words.tools;
  const place = state.direct ? said.inDirect : state.thread ? said.inThread(state.channel) : said.inChannel(state.channel);
  const intro = [said.intro(place), ...(template ? [said.assistant(plainMrkdwn(template.title))] : [])].join(" ");
  const blocks: KnownBlock[] = [
    section(intro),
    ...(refusal ? [context(`:no_entry: ${refusal}`)] : []),
    scopeBlock(state, facts.person, words),
    { type: "divider" },
    ...(tools.length === 0 ? [section(said.none)] : shown.map((tool) => toolBlock(tool, state, facts, words))),
    ...pageBlocks({ page, pages, previous: "tools_previous", next: "tools_next" }, words),
    { type: "divider" },
    context(said.order),
  ];
  return modal({ title: said.title, blocks, metadata: JSON.stringify({ ...state, page }) }, words);
}

function scopeBlock(state: PanelState, person: Person, words: Catalogue): SectionBlock {
  const option = (scope: ToggleScope) => ({ text: plain(words.tools.scopes[scope]), value: scope });
  const scopes = [...scopesFor(state, person)].reverse();
  const block = section(`*${words.tools.changeFor}*`);
  if (!scopes.includes(state.scope)) return block;
  return {
    ...block,
    accessory: {
      type: "static_select",
      action_id: "tools_scope",
      options: scopes.map(option),
      initial_option: option(state.scope),
      placeholder: plain(words.tools.changeFor),
    },
  };
}

function toolBlock(tool: Tool, state: PanelState, facts: PanelFacts, words: Catalogue): SectionBlock {
  const { choices, person } = facts;
  const said = words.tools;
  const obstacle = obstacleTo(tool, choices, person);
  const title = tool.annotations?.title;
  const name = `${title ? `*${plainMrkdwn(title)}* ` : ""}\`${tool.name}\``;
  const reason = obstacle ? plainMrkdwn(said.reason(obstacle)) : said.on;
  const also = toggleScopes.filter((scope) => scope !== obstacle?.kind && isOff(tool, scope, choices)).map((scope) => said.scopes[scope]);
  const lines = [`${sign(obstacle)} ${name}`, reason, ...(also.length > 0 ? [said.alsoOff(also.join(", "))] : [])];
  const offered = offeredSwitch(tool, state.scope, facts);
  // A block of its own id: otherwise Slack takes the blocks of two pages for the same.
  const block: SectionBlock = { ...section(lines.join("\n")), block_id: `tool ${tool.name} ${state.scope} ${offered}` };
  return offered ? { ...block, accessory: switchButton(tool, offered, state.scope, words) } : block;
}

function switchButton(tool: Tool, to: "on" | "off", scope: ToggleScope, { tools: said }: Catalogue) {
  const label = scope === "admin" ? (to === "off" ? said.lock : said.unlock) : to === "off" ? said.switchOff : said.switchOn;
  return {
    type: "button",
    action_id: "tool_switch",
    text: plain(label),
    value: `${to} ${tool.name}`,
    accessibility_label: `${label}: ${tool.annotations?.title ?? tool.name}`.slice(0, 75),
    ...(to === "on" && { style: "primary" as const }),
  } as const;
}

/** How a tool stands, before the words that say it. */
const sign = (obstacle: Obstacle | undefined): string =>
  obstacle === undefined
    ? ":large_green_circle:"
    : obstacle.kind === "admin" || obstacle.kind === "template-lock"
      ? ":lock:"
      : ":white_circle:";
