import type { KnownBlock, ModalView } from "@slack/types";
import type { TraceRecord } from "../../../agent/trace.ts";
import { isUuid, traceId, turnId } from "../../../core/ids.ts";
import type { Place } from "../../../permissions/directory.ts";
import type { Attempt } from "../../commands/command-store.ts";
import { SlackFailure } from "../../out/slack-failure.ts";
import type { Catalogue } from "../../words/catalogue.ts";
import { answerFor } from "../answer/answer-access.ts";
import { context, section } from "../blocks.ts";
import { clickKey } from "../click.ts";
import type { Clicked } from "../desk.ts";
import { modal, sayingModal } from "../parts.ts";
import { type Shareable, shareable } from "./shared-answer.ts";

/** Shows what sharing a private answer would post, and to whom. Posts nothing. */
export async function previewShare(clicked: Clicked): Promise<ModalView> {
  const { click, words } = clicked;
  const { private: said } = words;
  const trace = await answerFor(clicked, click.value);
  const ready: Shareable = trace ? await shareable(trace, clicked) : { kind: "refused", sentence: said.notShareable };
  if (!trace || ready.kind === "refused") {
    await noteRefusal(clicked, click.value);
    return sayingModal(said.title, ready.kind === "refused" ? ready.sentence : said.notShareable, words);
  }
  const blocks: KnownBlock[] = [
    section(said.wouldPost(`<#${ready.origin.channel}>`)),
    context(readersOf(ready.place, words)),
    { type: "divider" },
    ...ready.bodies.flatMap(({ blocks }) => blocks),
  ];
  const form = { action: "share_confirmed", submit: said.share, cancel: said.cancel };
  return modal({ title: said.title, blocks, metadata: `${trace.id} ${ready.fingerprint}`, form }, words);
}

/**
 * Posts exactly what the preview showed, in the thread in which it was asked. What came of it is said in the direct message. A form that
 * somebody else sends, that was sent before, or that shows what is not so any more, posts nothing.
 */
export async function shareAnswer(clicked: Clicked): Promise<undefined> {
  const { click, desk, words } = clicked;
  const [id = "", seen = ""] = click.view?.metadata.split(" ") ?? [];
  const trace = await answerFor(clicked, id);
  if (!trace) return noteRefusal(clicked, id);
  const ready = await shareable(trace, clicked);
  const sentence = await publish(trace, ready, seen, clicked);
  if (ready.kind === "refused" && ready.sentence === words.private.notShareable) return undefined;
  if (sentence !== undefined) await desk.writer.post(trace.channel, trace.thread, () => ({ text: sentence, blocks: [section(sentence)] }));
}

async function publish(trace: TraceRecord, ready: Shareable, seen: string, clicked: Clicked): Promise<string | undefined> {
  const { click, person, desk, words } = clicked;
  const { private: said } = words;
  if (ready.kind === "refused" || ready.fingerprint !== seen) {
    await noteRefusal(clicked, trace.id);
    return ready.kind === "refused" ? ready.sentence : said.changed;
  }
  const { channel, thread } = ready.origin;
  const attempt: Attempt = { actor: person.id, action: "answer-share", subject: trace.id, channel, thread };
  const begun = await desk.searches.share({ key: clickKey(click), attempts: [attempt] }, trace.id);
  if (begun === "seen") return undefined;
  if (begun === "running") return said.beingShared;
  if (begun === "before") return said.sharedBefore;
  try {
    for (const [part, body] of ready.bodies.entries()) {
      const mark = { turn: turnId(trace.id), part };
      // A try before this one may have posted it.
      if (begun === "again" && (await desk.writer.findPosted(channel, thread, mark))) continue;
      await desk.writer.post(channel, thread, () => body, { mark });
    }
  } catch (thrown) {
    await desk.searches.giveUpSharing(trace.id);
    if (thrown instanceof SlackFailure) return said.failed;
    throw thrown;
  }
  await desk.searches.shared(trace.id);
  return said.shared(`<#${channel}>`);
}

/** Notes in the audit log that somebody tried. */
async function noteRefusal({ click, person, desk }: Clicked, id: string): Promise<undefined> {
  const subject = isUuid(id) ? traceId(id) : "unknown";
  await desk.commands.take({ key: clickKey(click), attempts: [{ actor: person.id, action: "answer-share", subject }] });
}

/** To whom it would be shown. */
function readersOf({ kind, readers, guests }: Place, { private: said }: Catalogue): string {
  const count = readers === undefined ? [] : [kind === "public" ? said.readersOpen(readers) : said.readers(readers)];
  return [...count, ...(guests === "some" ? [said.guests] : guests === "unknown" ? [said.guestsUnknown] : [])].join(" ");
}
