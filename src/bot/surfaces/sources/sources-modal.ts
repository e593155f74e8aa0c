import type { KnownBlock, ModalView } from "@slack/types";
import type { CitedSource } from "../../../agent/trace.ts";
import { passageId } from "../../../core/ids.ts";
import { audienceOfOne } from "../../../permissions/audience.ts";
import type { Source } from "../../../plugins/contract.ts";
import { clean } from "../../out/mrkdwn/clean.ts";
import { answerFor } from "../answer/answer-access.ts";
import { sourceLine } from "../answer/source-list.ts";
import { context, section } from "../blocks.ts";
import type { Clicked } from "../desk.ts";
import { modal, sayingModal } from "../parts.ts";

/** Sources shown in one modal, and characters of each passage: together within the 250 kB that Slack takes. */
const mostSources = 30;
const longestPassage = 2_500;

/** The passages that an answer cites, as far as the person who clicks may see them now. */
export async function sourcesModal(clicked: Clicked): Promise<ModalView> {
  const { click, words } = clicked;
  const { title, nothing, intro, more } = words.sources;
  const cited = (await answerFor(clicked, click.value))?.cited ?? [];
  if (cited.length === 0) return sayingModal(title, nothing, words);
  const shown = await Promise.all(cited.slice(0, mostSources).map((source) => sourceBlocks(source, clicked)));
  const rest = cited.length - mostSources;
  const blocks = [context(intro), ...shown.flat(), ...(rest > 0 ? [context(more(rest))] : [])];
  return modal({ title, blocks }, words);
}

async function sourceBlocks(cited: CitedSource, clicked: Clicked): Promise<KnownBlock[]> {
  const { words } = clicked;
  const found =
    "documentId" in cited ? await documentSource(cited, clicked) : { source: cited, ...(cited.url !== undefined && { url: cited.url }) };
  if (!found) return [section(words.sources.notForYou(cited.n))];
  return [section(sourceLine({ n: cited.n, ...found }, words.answer)), quote(found.source.passage)];
}

/** A document's passage and a link that opens it for this person alone. Undefined equally when it is forbidden and when it is gone. */
async function documentSource(
  { id, relevance }: CitedSource,
  { person, desk }: Clicked,
): Promise<{ readonly source: Source; readonly url: string } | undefined> {
  const { directory } = desk;
  const [channels, direct] = await Promise.all([directory.channelsOf(person.id), directory.directMessage(person.id)]);
  const { principals } = audienceOfOne(person, channels, await directory.groupsOf?.(person.id));
  const excerpt = await desk.library.context({ passage: passageId(id), before: 0, after: 0 }, { principals });
  const passage = excerpt?.passages.find((each) => each.passageId === id);
  if (!excerpt || !passage) return undefined;
  const { page, pageEnd, heading, text } = passage;
  const where = {
    ...(page !== undefined && { page }),
    ...(pageEnd !== undefined && { pageEnd }),
    ...(heading !== undefined && { heading }),
  };
  return {
    source: { id, title: excerpt.title, passage: text, relevance, ...where },
    url: desk.links.passage(passageId(id), { channel: direct, person: person.id }),
  };
}

/** A passage's own text: in rich text nothing of it is read as markup. */
const quote = (passage: string): KnownBlock => {
  const text = clean(passage).trim();
  const shown =
    text.length > longestPassage
      ? `${text
          .slice(0, longestPassage)
          .replace(/[\uD800-\uDBFF]$/, "")
          .trimEnd()} …`
      : text;
  return { type: "rich_text", elements: [{ type: "rich_text_quote", elements: [{ type: "text", text: shown || "…" }] }] };
};
