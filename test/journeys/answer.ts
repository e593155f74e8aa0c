import type { FakeSlack } from "../../playground/server/fake-slack.ts";

/** Where and as whom somebody asks. */
export interface Asking {
  readonly workspace: string;
  readonly as: string;
  /** A channel's name, or "direct". */
  readonly channel: string;
  readonly question: string;
  /** Asked in this thread rather than at top level. */
  readonly thread?: string;
}

interface Block {
  readonly type: string;
  readonly text?: string | { readonly text: string };
  /** Of a task card. */
  readonly title?: string;
  readonly elements?: readonly { readonly text?: string | { readonly text: string } }[];
}

/** Everything a reader sees of one state of a message. */
export const shown = ({ text, blocks }: { readonly text: string; readonly blocks: readonly unknown[] }): string =>
  blocks.length === 0 ? text : (blocks as readonly Block[]).flatMap(wordsOf).join("\n");

const wordsOf = ({ text, title, elements = [] }: Block): string[] => [
  ...(title ? [title] : []),
  ...(text ? [typeof text === "string" ? text : text.text] : []),
  ...elements.map((element) => (typeof element.text === "string" ? element.text : (element.text?.text ?? ""))),
];

/** Writes the question as that person does. Returns its thread. */
export async function write(slack: FakeSlack, { workspace, as, channel, question, thread }: Asking): Promise<string> {
  const direct = channel === "direct";
  const text = direct || thread ? question : `@footnote ${question}`;
  const ts = await slack.post({ workspace, as, channel: direct ? "direct" : channel, text, ...(thread && { thread }) });
  return thread ?? ts;
}

/** The bot's messages in a thread, as they look now. */
export function answers(slack: FakeSlack, { workspace, as, channel }: Asking, thread: string) {
  const where = channel === "direct" ? `direct:${as}` : channel;
  return slack.messages({ workspace, channel: where, thread }).filter(({ botId }) => botId);
}

/** A finished answer carries its trace's id; everything before it is a draft. */
const finished = /^Trace|^Error id/m;

/** Asks and resolves with the finished answers of the thread, as a reader sees them. */
export async function ask(
  slack: FakeSlack,
  asking: Asking,
  { count = 1, timeoutMs = 150_000 } = {},
): Promise<{ thread: string; text: string }> {
  const thread = await write(slack, asking);
  const text = await slack.waitFor(
    () => {
      const done = answers(slack, asking, thread)
        .map(shown)
        .filter((each) => finished.test(each));
      return done.length >= count ? done.join("\n") : undefined;
    },
    { timeoutMs },
  );
  return { thread, text };
}
