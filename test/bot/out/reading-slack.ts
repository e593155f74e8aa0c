import type { MessageBody } from "../../../src/bot/out/slack-writer.ts";

/** What a reader's Slack would make clickable or loud in a text: its own forms, and whatever looks like an address outside code. */
export function liveThings(mrkdwn: string): string[] {
  const forms = Array.from(mrkdwn.matchAll(/<([^<>]*)>/g), ([, inside]) => inside ?? "");
  const bare = withoutCode(mrkdwn).replace(/<[^<>]*>/g, " ");
  const addresses = Array.from(
    bare.matchAll(
      /\b[a-z][a-z0-9+.-]*:\/\/\S+|\b(?:mailto|tel|javascript|data|slack):\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|(?:[\p{L}\d](?:[\p{L}\d-]*[\p{L}\d])?\.)+\p{L}{2,}\b/giu,
    ),
    ([found]) => found,
  );
  return [...forms, ...addresses];
}

/** The addresses of Slack's link forms. */
export const linkTargets = (mrkdwn: string): string[] =>
  Array.from(mrkdwn.matchAll(/<(https?:[^<>|]*)(?:\|[^<>]*)?>/g), ([, url]) => unescaped(url ?? ""));

/** A text without what Slack shows as code. */
export const withoutCode = (mrkdwn: string): string => mrkdwn.replace(/```[\s\S]*?```/g, " ").replace(/`[^`\n]+`/g, " ");

/** Slack's entities undone, once. */
export const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt);/g, (_all, name: string) => ({ amp: "&", lt: "<", gt: ">" })[name] ?? "");

/** Everything of a message that Slack counts. Empty when Slack takes it. */
export function overLimits(body: MessageBody): string[] {
  const wrong: string[] = [];
  if (body.text.length > 4_000) wrong.push(`text ${body.text.length}`);
  if (body.text === "") wrong.push("no text for notifications");
  if (body.blocks.length > 50) wrong.push(`${body.blocks.length} blocks`);
  let total = 0;
  for (const block of body.blocks) {
    const texts =
      block.type === "section"
        ? [block.text?.text ?? ""]
        : block.type === "context"
          ? block.elements.map((one) => ("text" in one ? one.text : ""))
          : [];
    for (const text of texts) {
      total += text.length;
      if (text.length > 3_000 || text.length === 0) wrong.push(`${block.type} text ${text.length}`);
      if ((text.match(/```/g) ?? []).length % 2 !== 0) wrong.push("an open fence");
    }
    if (block.type === "context" && block.elements.length > 10) wrong.push("context elements");
    if (block.type === "actions") {
      for (const one of block.elements)
        if (one.type === "button" && (one.text.text.length > 75 || (one.value?.length ?? 0) > 2_000)) wrong.push("button");
    }
  }
  if (total > 13_000) wrong.push(`${total} characters in blocks`);
  return wrong;
}
