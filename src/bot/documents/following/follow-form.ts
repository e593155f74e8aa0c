import type { KnownBlock, ModalView } from "@slack/types";
import { codeOf } from "../../../core/errors.ts";
import { channelId } from "../../../core/ids.ts";
import { channelPrincipal } from "../../../core/principal.ts";
import type { NamedChannel } from "../../../permissions/directory.ts";
import { mayNotChange } from "../../../permissions/toggles.ts";
import { context, section } from "../../surfaces/blocks.ts";
import { type Click, clickKey } from "../../surfaces/click.ts";
import type { Clicked } from "../../surfaces/desk.ts";
import { modal, plain, sayingModal } from "../../surfaces/parts.ts";
import type { Catalogue } from "../../words/catalogue.ts";

/** Slack takes this many options. */
const mostOptions = 100;
/** How often its files may be looked at beside the moments in which Slack tells of one, in minutes. */
const offered = [60, 360, 1_440] as const;
const usual = 360;

/** Asks whose files are to be read: of the channels that the person reads. */
export async function followForm(clicked: Clicked): Promise<ModalView> {
  const { person, desk, words } = clicked;
  const said = words.following;
  if (mayNotChange("knowledge", person) !== undefined) return sayingModal(said.title, words.documents.adminsOnly, words);
  const followed = new Set((await desk.sources.list()).flatMap(({ kind, address }) => (kind === "slack" ? [address] : [])));
  const free = (await desk.directory.namedChannelsOf(person.id)).filter(({ id }) => !followed.has(id));
  if (free.length === 0) return sayingModal(said.title, said.noChannel, words);
  const option = (value: string, label: string) => ({ text: plain(label), value });
  const channels = free.slice(0, mostOptions).map(({ id, name }) => option(id, `#${name}`));
  const times = offered.map((minutes) => option(String(minutes), said.every(minutes)));
  const initial = times.find(({ value }) => value === String(usual));
  const blocks: KnownBlock[] = [
    section(said.intro),
    {
      ...{ type: "input", block_id: "channel", label: plain(said.whichChannel) },
      element: { type: "static_select", action_id: "channel", placeholder: plain(said.choose), options: channels },
    },
    {
      ...{ type: "input", block_id: "every", label: plain(said.howOften) },
      element: { type: "static_select", action_id: "every", options: times, ...(initial && { initial_option: initial }) },
    },
    context(said.limits),
    ...(free.length > mostOptions ? [context(said.moreChannels(free.length - mostOptions))] : []),
  ];
  return modal({ title: said.title, blocks, form: { action: "source_follow", submit: said.begin, cancel: words.documents.cancel } }, words);
}

/** Of a form in which no channel was chosen: that one must be. */
export const mistakesInFollowing = ({ entered }: Click, { following: said }: Catalogue): Readonly<Record<string, string>> =>
  /^[CG][A-Z0-9_]+$/.test(entered.get("channel") ?? "") ? {} : { channel: said.choose };

/** Begins to follow the channel of a form. Whether it is the person's to decide, and whether they read it, is judged here, whatever was offered. */
export async function follow(clicked: Clicked): Promise<ModalView> {
  const { click, person, desk, parts, words } = clicked;
  const said = words.following;
  const say = (sentence: string) => sayingModal(said.title, sentence, words);
  const wanted = click.entered.get("channel") ?? "";
  const every = offered.find((minutes) => String(minutes) === click.entered.get("every")) ?? usual;
  const attempts = [{ actor: person.id, action: "source-add", subject: wanted, channel: channelId(wanted) } as const];
  const once = { key: clickKey(click), attempts };
  const channel = (await desk.directory.namedChannelsOf(person.id)).find(({ id }) => id === wanted);
  if (!channel || mayNotChange("knowledge", person) !== undefined) {
    await desk.commands.take(once);
    return say(words.surface.refused);
  }
  const isFollowed = (await desk.sources.list()).some(({ kind, address }) => kind === "slack" && address === channel.id);
  if (isFollowed || !(await desk.commands.take(once, "done"))) return say(said.followed(`<#${channel.id}>`));
  const source = await added(clicked, channel, every);
  await parts.channelFiles.read(click.tenant, source);
  return say(said.begun(`<#${channel.id}>`));
}

/** Named as the channel, or, where something else has that name, with the channel's id. */
async function added({ desk }: Clicked, { id, name }: NamedChannel, everyMinutes: number) {
  const source = { kind: "slack", address: id, grants: [channelPrincipal(id)], everyMinutes } as const;
  return desk.sources.add({ ...source, name }).catch((thrown: unknown) => {
    if (codeOf(thrown) !== "SOURCE_EXISTS") throw thrown;
    return desk.sources.add({ ...source, name: `${name} ${id}` });
  });
}
