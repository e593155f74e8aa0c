import { createHash } from "node:crypto";
import type { Citation } from "../../../agent/events.ts";
import type { CitedSource, TraceRecord } from "../../../agent/trace.ts";
import { passageId } from "../../../core/ids.ts";
import { audienceOfOne } from "../../../permissions/audience.ts";
import type { Place } from "../../../permissions/directory.ts";
import { isReader } from "../../../permissions/reader.ts";
import { toParts } from "../../out/mrkdwn.ts";
import type { MessageBody } from "../../out/slack-writer.ts";
import { contentBodies } from "../answer/answer.ts";
import { webAddress } from "../answer/source-list.ts";
import { context } from "../blocks.ts";
import type { Clicked } from "../desk.ts";
import { mostBlocks } from "../parts.ts";
import type { Origin } from "./private-store.ts";

/** What would be posted where, word for word; or why it cannot be. */
export type Shareable =
  | { readonly kind: "refused"; readonly sentence: string }
  | {
      readonly kind: "ready";
      readonly origin: Origin;
      readonly place: Place;
      readonly bodies: readonly MessageBody[];
      /** Of what is posted and for whom: what somebody has looked at is what is posted, or nothing is. */
      readonly fingerprint: string;
    };

/** Blocks that the preview needs for itself. */
const ownBlocks = 6;

/** Works out what sharing this answer would post, from how things stand now: the text, its sources, who reads there. */
export async function shareable(trace: TraceRecord, clicked: Clicked): Promise<Shareable> {
  const { person, desk, words } = clicked;
  const said = words.private;
  const refused = (sentence: string) => ({ kind: "refused", sentence }) as const;
  const origin = trace.thread && trace.person === person.id ? await desk.searches.origin(trace.channel, trace.thread) : undefined;
  const text = trace.message && (await desk.searches.answer(trace.channel, trace.message));
  if (!origin || origin.person !== person.id || !text) return refused(said.notShareable);

  const [place, channels, directMessage] = await Promise.all([
    desk.directory.placeNow(origin.channel),
    desk.directory.channelsOf(person.id),
    desk.directory.directMessage(person.id),
  ]);
  if (!place || !isReader(place, person, { channels, directMessage })) return refused(said.noReader);
  if (place.outsiders !== "none") return refused(said.outsiders);

  const citations: Citation[] = [];
  for (const cited of trace.cited ?? []) {
    const citation = await citationOf(cited, clicked);
    if (!citation) return refused(said.sourceGone(cited.n));
    citations.push(citation);
  }
  const numbers = new Map(citations.map(({ n, url }) => [n, webAddress(url)]));
  const allowed = new Set(citations.flatMap(({ url }) => (url === undefined ? [] : [url])));
  const parts = toParts(text, { allowed, citations: numbers });
  const [first, ...rest] = contentBodies({ parts, citations }, words.answer);
  if (!first) return refused(said.notShareable);
  const heading = context(said.sharedBy(`<@${person.id}>`));
  const bodies = [{ ...first, blocks: [heading, ...first.blocks] }, ...rest];
  if (bodies.flatMap(({ blocks }) => blocks).length > mostBlocks - ownBlocks) return refused(said.tooLong);
  const seen = JSON.stringify([origin.channel, origin.thread, place.guests, place.readers, place.kind, bodies]);
  return { kind: "ready", origin, place, bodies, fingerprint: createHash("sha256").update(seen).digest("hex") };
}

/**
 * A source as it is listed where everybody reads it. A document's link would open for few of them, so there is none. Undefined when it is
 * not the person's to see any more, or gone.
 */
async function citationOf(cited: CitedSource, { person, desk }: Clicked): Promise<Citation | undefined> {
  const { n, id, relevance } = cited;
  if (!("documentId" in cited)) {
    const { title, passage, url } = cited;
    return { n, source: { id, title, passage, relevance }, ...(url !== undefined && { url }) };
  }
  const { directory } = desk;
  const { principals } = audienceOfOne(person, await directory.channelsOf(person.id), await directory.groupsOf?.(person.id));
  const excerpt = await desk.library.context({ passage: passageId(id), before: 0, after: 0 }, { principals });
  const passage = excerpt?.passages.find((each) => each.passageId === id);
  if (!excerpt || !passage) return undefined;
  const { page, pageName, heading, text } = passage;
  const where = {
    ...(page !== undefined && { page }),
    ...(pageName !== undefined && { pageName }),
    ...(heading !== undefined && { heading }),
  };
  return { n, source: { id, title: excerpt.title, passage: text, relevance, ...where } };
}
