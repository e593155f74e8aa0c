import type { Button, KnownBlock } from "@slack/types";
import type { CallToAllow } from "../../agent/ports.ts";
import type { PersonId } from "../../core/ids.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import type { MessageBody } from "../out/slack-writer.ts";
import { code, context, section } from "../surfaces/blocks.ts";
import type { CallState } from "./approval-store.ts";
import type { english } from "./words.ts";

/** Characters of one block of code, and blocks of one card. What is longer could not be seen whole, so it cannot be allowed. */
const LONGEST_BLOCK = 2_900;
const MOST_BLOCKS = 4;

/** In the asker's language. */
type Words = typeof english;

/** Actions of the buttons. Their value is the entry's id, which proves nothing: rights are checked at the click. */
export const approvalActions = { once: "call_allow_once", thread: "call_allow_thread", edit: "call_edit", deny: "call_deny" } as const;

/** Whether arguments can be seen whole on a card. */
export const fitsOnCard = (args: string): boolean => literal(args).length <= LONGEST_BLOCK * MOST_BLOCKS;

/** Whether something must be filled in before it can be allowed. */
const isIncomplete = ({ form = [], arguments: args }: CallToAllow): boolean =>
  form.some(({ name, required }) => required && !Object.hasOwn(JSON.parse(args) as object, name));

/**
 * A card that asks somebody to allow a call: rendered by us alone, arguments whole and literal.
 * @param editable whether they can be changed in a modal
 */
export function approvalCard(id: string, call: CallToAllow, asker: PersonId, words: Words, editable = false): MessageBody {
  const shown = literal(call.arguments);
  const text = question(call, asker, words);
  const blocks: KnownBlock[] = [
    section(text),
    ...(call.readByAll ? [section(words.readByAll)] : []),
    context(
      words.details(
        plainMrkdwn(call.tool),
        call.server === undefined ? undefined : plainMrkdwn(call.server),
        shown.length,
        isIncomplete(call) ? "incomplete" : call.about,
      ),
    ),
    ...pieces(shown).map(code),
    {
      type: "actions",
      elements: [
        ...(isIncomplete(call)
          ? []
          : [
              button(
                call.about === "question" || call.about === "model-reply" ? words.send : words.once,
                approvalActions.once,
                id,
                "primary",
              ),
            ]),
        ...(call.mayRemember ? [button(words.thread, approvalActions.thread, id)] : []),
        ...(editable ? [button(call.form ? words.edit.fill : words.edit.button, approvalActions.edit, id)] : []),
        button(words.deny, approvalActions.deny, id, "danger"),
      ],
    },
    context(words.onlyAsker(asker)),
  ];
  return { text, blocks };
}

/** The sentence that says what a click would do. */
function question({ about, title, effect, tokens = 0 }: CallToAllow, asker: PersonId, words: Words): string {
  const name = plainMrkdwn(title);
  if (about === "question") return words.asksForAnswer(asker, name);
  if (about === "model-request") return words.asksModel(asker, name, tokens);
  return about === "model-reply" ? words.givesBack(asker, name) : words.asks(asker, name, effect);
}

/** What stands in the card's place once it is decided. The arguments go: who may read the answer reads it there. */
export function decidedCard(
  state: Exclude<CallState, "waiting">,
  { title, about }: Pick<CallToAllow, "title" | "about">,
  asker: PersonId,
  words: Words,
  edited = false,
): MessageBody {
  const text = `${words.decided(state, asker, plainMrkdwn(title), about)}${edited ? ` ${words.edit.changed}` : ""}`;
  return { text, blocks: [context(text)] };
}

/** For onlookers, when the card itself must not be seen by them. */
export const askedElsewhere = (asker: PersonId, words: Words): MessageBody => ({
  text: words.elsewhere(asker),
  blocks: [context(words.elsewhere(asker))],
});

/**
 * JSON in which nothing hides: what shows nothing, turns the direction of writing or pushes text out of sight is written as its number.
 * It means the same.
 */
export function literal(json: string): string {
  const escaped = (text: string) =>
    [...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
  return json
    .replace(
      /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00A0\u115F\u1160\u2000-\u200A\u202F\u205F\u2800\u3000\u3164\uFFA0]|\p{Mn}{4,}/gu,
      escaped,
    )
    .replace(/ {9,}/g, escaped);
}

/** In pieces that end at a character's boundary. */
function pieces(text: string): readonly string[] {
  const all: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = from + LONGEST_BLOCK;
    const to = /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end;
    all.push(text.slice(from, to));
    from = to;
  }
  return all;
}

const button = (label: string, action: string, value: string, style?: "primary" | "danger"): Button => ({
  type: "button",
  text: { type: "plain_text", text: label },
  action_id: action,
  value,
  ...(style && { style }),
});
