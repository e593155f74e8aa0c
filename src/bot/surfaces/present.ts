import type { ModalView } from "@slack/types";
import { type Clock, notNeeded } from "../../core/clock.ts";
import type { SlackViews } from "../out/slack-views.ts";

/** Slack's trigger is good for three seconds: by then something must be open. A modal that is ready before needs no placeholder. */
const patienceMs = 700;

/**
 * Opens a modal whose content may take a while: at once when that comes soon, else with a placeholder that it replaces. Rejects with
 * SlackFailure when nothing could be opened.
 * @param how "push" lays it on top of the modal that was clicked in
 * @param content never rejects: what fails is said in a modal, too
 */
export async function present(
  { views, clock }: { readonly views: Pick<SlackViews, "open" | "push" | "update">; readonly clock: Clock },
  how: "open" | "push",
  trigger: string,
  placeholder: ModalView,
  content: Promise<ModalView>,
): Promise<void> {
  const over = new AbortController();
  const waiting = clock.sleep(patienceMs, over.signal).then(
    () => undefined,
    () => undefined,
  );
  const soon = await Promise.race([content, waiting]);
  over.abort(notNeeded);
  const { id } = await views[how](trigger, soon ?? placeholder);
  if (!soon) await views.update(id, await content);
}
