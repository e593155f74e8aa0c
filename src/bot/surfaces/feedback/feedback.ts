import type { ModalView } from "@slack/types";
import type { Rating } from "../../../agent/feedback.ts";
import { type TraceId, traceId } from "../../../core/ids.ts";
import type { MessageBody } from "../../out/slack-writer.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { answerFor } from "../answer/answer-access.ts";
import { section } from "../blocks.ts";
import type { Clicked } from "../desk.ts";
import { button, modal, plain, sayingModal } from "../parts.ts";

/** Longest comment, in characters: what Slack's field takes. */
const longestComment = 2_000;

/** What a thumb carries: which way it points and at which answer. */
const thumb = /^(up|down) (\S{1,50})$/;
export const pointsUp = (value: string): boolean => value.startsWith("up ");

/** Keeps a thumb at once, and asks what was wrong: a thumb down says little without a word. */
export async function rateAndAsk(clicked: Clicked): Promise<ModalView> {
  const rated = await keep(clicked);
  if (!rated) return sayingModal(clicked.words.feedback.title, clicked.words.feedback.gone, clicked.words);
  return askFor(rated, clicked);
}

/** Keeps a thumb. @returns what whoever gave it is told, with the way to a comment */
export async function rate(clicked: Clicked): Promise<string | MessageBody> {
  const { feedback: said } = clicked.words;
  const rated = await keep(clicked);
  if (!rated) return said.gone;
  const more = button("comment_answer", said.addComment, `${rated.rating} ${rated.trace}`);
  return { text: said.thanks, blocks: [section(said.thanks), { type: "actions", elements: [more] }] };
}

/** Asks for a comment on a thumb that was kept before. */
export async function askForComment(clicked: Clicked): Promise<ModalView> {
  const { click, words } = clicked;
  const rated = await ratedAnswer(clicked, click.value);
  return rated ? askFor(rated, clicked) : sayingModal(words.feedback.title, words.feedback.gone, words);
}

async function askFor(rated: Rated, { desk, person, words }: Clicked): Promise<ModalView> {
  const { comment } = (await desk.feedback.find(rated.trace, person.id)) ?? { comment: "" };
  return commentModal(rated, comment, words);
}

/** Keeps the comment of a form that was sent. */
export async function comment(clicked: Clicked): Promise<undefined> {
  const { click, desk, person } = clicked;
  const rated = await ratedAnswer(clicked, click.view?.metadata ?? "");
  const text = click.entered.get("comment") ?? "";
  if (rated) await desk.feedback.save({ ...rated, person: person.id, comment: text.trim().slice(0, longestComment) });
}

async function keep(clicked: Clicked) {
  const rated = await ratedAnswer(clicked, clicked.click.value);
  if (rated) await clicked.desk.feedback.save({ ...rated, person: clicked.person.id });
  return rated;
}

/** The answer that is meant, if the person reads where it stands. */
async function ratedAnswer(clicked: Clicked, value: string): Promise<Rated | undefined> {
  const [, rating, id = ""] = thumb.exec(value) ?? [];
  if (!rating || !(await answerFor(clicked, id))) return undefined;
  return { trace: traceId(id), rating: rating as Rating };
}

interface Rated {
  readonly trace: TraceId;
  readonly rating: Rating;
}

function commentModal({ trace, rating }: Rated, written: string, words: Catalogue): ModalView {
  const said = words.feedback;
  const field = {
    type: "plain_text_input",
    action_id: "comment",
    multiline: true,
    max_length: longestComment,
    placeholder: plain(said.placeholder, 150),
    ...(written && { initial_value: written.slice(0, longestComment) }),
  } as const;
  return modal(
    {
      title: said.title,
      blocks: [
        section(rating === "up" ? said.up : said.down),
        {
          type: "input",
          block_id: "comment",
          optional: true,
          label: plain(said.comment, 2_000),
          hint: plain(said.hint, 2_000),
          element: field,
        },
      ],
      metadata: `${rating} ${trace}`,
      form: { action: "feedback_comment", submit: said.send, cancel: said.skip },
    },
    words,
  );
}
