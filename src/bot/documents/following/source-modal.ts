import type { KnownBlock, ModalView } from "@slack/types";
import { audienceOfOne } from "../../../permissions/audience.ts";
import { mayNotChange } from "../../../permissions/toggles.ts";
import type { Attempt } from "../../commands/command-store.ts";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import { context, section } from "../../surfaces/blocks.ts";
import { clickKey } from "../../surfaces/click.ts";
import type { Clicked, Rendering } from "../../surfaces/desk.ts";
import { actions, button, modal, plain, sayingModal } from "../../surfaces/parts.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { placeOf, sourceLine } from "./source-blocks.ts";
import { type CountedSource, readableSources, withCounts } from "./source-facts.ts";

/** Unread items that are named, and characters of one of them. */
const mostNamed = 20;
const longestLine = 300;

/** How a source stands, with what may be done about it. */
export const openSource = (clicked: Clicked): Promise<ModalView> => render(clicked, clicked.click.value);

/** Has it read now. */
export async function readSource(clicked: Clicked): Promise<Rendering> {
  const { click, desk, parts, words } = clicked;
  const source = await sourceFor(clicked, click.value);
  if (!(await desk.commands.take(once(clicked, "source-read", source), source ? "done" : "refused")))
    return () => render(clicked, click.value);
  if (source) await parts.channelFiles.read(click.tenant, source);
  return () => render(clicked, click.value, source && words.following.reading);
}

/** Ends a channel's source, with what nobody else holds of its files. Sources of the operator's are the operator's to end. */
export async function endSource(clicked: Clicked): Promise<Rendering> {
  const { click, desk, parts, words } = clicked;
  const said = words.following;
  const source = await sourceFor(clicked, click.value);
  const ends = source?.kind === "slack";
  const first = await desk.commands.take(once(clicked, "source-remove", source), ends ? "done" : "refused");
  if (!first || !ends) return () => render(clicked, click.value);
  const documents = await parts.channelFiles.remove(click.tenant, source);
  return async () => sayingModal(said.title, said.ended(placeOf(source, words), documents), words);
}

const once = ({ click, person }: Clicked, action: Attempt["action"], source: CountedSource | undefined) => ({
  key: clickKey(click),
  attempts: [{ actor: person.id, action, subject: source?.id ?? "unknown" }],
});

/** A source whose documents the person may read and decide about; undefined equally for one that does not exist. */
async function sourceFor({ person, desk }: Clicked, id: string): Promise<CountedSource | undefined> {
  if (mayNotChange("knowledge", person) !== undefined) return undefined;
  const [channels, groups] = await Promise.all([desk.directory.channelsOf(person.id), desk.directory.groupsOf?.(person.id)]);
  const mine = await readableSources(desk.sources, audienceOfOne(person, channels, groups).principals);
  return (
    await withCounts(
      desk.sources,
      mine.filter((source) => source.id === id),
    )
  )[0];
}

async function render(clicked: Clicked, id: string, notice?: string): Promise<ModalView> {
  const { words } = clicked;
  const source = await sourceFor(clicked, id);
  if (!source) return sayingModal(words.following.title, words.surface.refused, words);
  return modal({ title: words.following.title, blocks: sourceDetails(source, words, notice) }, words);
}

function sourceDetails(source: CountedSource, words: Catalogue, notice: string | undefined): KnownBlock[] {
  const said = words.following;
  const { id, kind, lastRun, failures } = source;
  const told = (why: string) => plainMrkdwn(words.reasons.of(why)).slice(0, longestLine);
  const counts = lastRun && said.counts(lastRun);
  const named = failures.slice(0, mostNamed).map((failure) => `• ${told(failure)}`);
  const end = {
    ...button("source_remove", said.end, id, "danger"),
    confirm: {
      ...{ title: plain(said.end, 100), text: plain(said.endAsk, 300) },
      ...{ confirm: plain(said.end, 30), deny: plain(said.keep, 30) },
    },
  };
  return [
    ...(notice ? [context(notice)] : []),
    section(`*${placeOf(source, words)}*\n${sourceLine(source, words)}`),
    ...(kind === "slack" ? [context(said.readers)] : []),
    ...(counts ? [section(`*${said.last}*\n${counts}`)] : []),
    ...(lastRun?.notes ?? []).map((note) => context(told(note))),
    ...(named.length > 0 ? [section(`*${said.notRead}*\n${named.join("\n")}`.slice(0, 2_900))] : []),
    ...(failures.length > mostNamed ? [context(said.more(failures.length - mostNamed))] : []),
    actions(`source ${id}`, [button("source_read", said.readNow, id), ...(kind === "slack" ? [end] : [])]),
  ];
}
