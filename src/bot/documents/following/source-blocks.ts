import type { KnownBlock } from "@slack/types";
import { plainMrkdwn } from "../../out/mrkdwn.ts";
import { section, slackDate } from "../../surfaces/blocks.ts";
import { actions, button } from "../../surfaces/parts.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import type { CountedSource } from "./source-facts.ts";

/** Sources in App Home, each with a way to what it is about. */
export const sourceBlocks = (
  { rows, total }: { readonly rows: readonly CountedSource[]; readonly total: number },
  words: Catalogue,
): KnownBlock[] => [
  section(`*${words.following.heading}* (${total})${total === 0 ? `\n${words.following.none}` : ""}`),
  ...rows.map((source) => ({
    ...section(`${placeOf(source, words)}\n${sourceLine(source, words)}`),
    accessory: button("source_open", words.following.open, source.id),
  })),
];

/** Where a channel's files begin to be followed. */
export const followBlock = (words: Catalogue): KnownBlock => actions("home_sources", [button("source_new", words.following.follow, "new")]);

/** What a source reads. Of the operator's own places only their kind is said. */
export function placeOf({ kind, address, name }: Pick<CountedSource, "kind" | "address" | "name">, { following: said }: Catalogue): string {
  return kind === "slack" ? said.channel(`<#${address}>`) : said.place(plainMrkdwn(name), said.kinds[kind]);
}

/** How a source stands, in one line. */
export function sourceLine({ documents, failures, everyMinutes, lastRun, kind }: CountedSource, { following: said }: Catalogue): string {
  return [
    said.documents(documents),
    ...(failures.length > 0 ? [said.unread(failures.length)] : []),
    lastRun ? said.lastRun(slackDate(new Date(lastRun.startedAt)), lastRun.status) : said.neverRun,
    everyMinutes === undefined ? (kind === "slack" ? said.whenChanged : said.whenAsked) : said.every(everyMinutes),
  ].join(" \u00B7 ");
}
