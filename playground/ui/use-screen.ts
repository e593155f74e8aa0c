import { useEffect, useMemo, useState } from "preact/hooks";
import { initialOf, linesOf, readOption } from "./block-elements.ts";
import { readBlocks } from "./block-kit.ts";
import type { ElementId, ElementUse } from "./element-use.ts";
import { actOnScreen, getScreen, type Screen, type Values, type View } from "./page-api.ts";
import { reloader } from "./reloader.ts";
import type { Session } from "./session.ts";

/** What is on the viewer's screen beside the conversation, kept up to date. Undefined until it is known. */
export function useScreen({ viewer, feed }: Pick<Session, "viewer" | "feed">): Screen | undefined {
  const [screen, setScreen] = useState<Screen>();
  useEffect(() => {
    let current = true;
    const { load } = reloader(async () => {
      if (!current) return;
      await getScreen(viewer).then(
        (found) => current && setScreen(found),
        () => undefined,
      );
    });
    load();
    const stopEvents = feed.onEvent((event) => void (event.type === "view" && load()));
    const stopOpen = feed.onOpen(load);
    return () => {
      current = false;
      stopEvents();
      stopOpen();
    };
  }, [viewer.workspace, viewer.as, feed]);
  return screen;
}

/** What was typed into views that others lie on top of at the moment: it is there again when those are closed. The newest ones only. */
const kept = new Map<string, ReadonlyMap<string, string>>();
const mostKept = 20;

function keep(view: string, entered: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  kept.delete(view);
  kept.set(view, entered);
  for (const [oldest] of kept) if (kept.size > mostKept) kept.delete(oldest);
  return entered;
}

/** The elements of one view, and what is entered into them. */
export function useView(
  { viewer }: Pick<Session, "viewer">,
  view: View,
  surface: "modal" | "home",
): ElementUse & { readonly values: () => Values } {
  const [entered, setEntered] = useState<ReadonlyMap<string, string>>(() => kept.get(view.id) ?? new Map());
  return useMemo(() => {
    const keyOf = ({ blockId, actionId }: ElementId) => JSON.stringify([blockId, actionId]);
    const values = () => valuesOf(view, (element) => entered.get(keyOf(element)));
    return {
      values,
      use: async ({ blockId, actionId }, value) =>
        void (await actOnScreen(viewer, "click", { surface, blockId, actionId, value, values: values() })),
      entered: (element) => entered.get(keyOf(element)),
      enter: (element, value) => setEntered((before) => keep(view.id, new Map([...before, [keyOf(element), value]]))),
      suggest: async ({ blockId, actionId }, typed) => {
        const { options = [] } = await actOnScreen(viewer, "suggest", { surface, blockId, actionId, typed });
        return options.map(readOption).filter((option) => option !== undefined);
      },
    };
  }, [viewer.workspace, viewer.as, view, entered]);
}

function valuesOf(view: View, entered: (element: ElementId) => string | undefined): Values {
  const values: Record<string, Record<string, object>> = {};
  for (const drawable of readBlocks(view.blocks)) {
    if (drawable.type !== "input") continue;
    const { element } = drawable;
    const value = entered(element) ?? initialOf(element);
    const given =
      element.kind === "text"
        ? { type: "plain_text_input", value: value || null }
        : element.kind === "people"
          ? { selected_users: linesOf(value) }
          : element.kind === "several"
            ? { selected_options: linesOf(value).map((line) => ({ value: line })) }
            : { selected_option: value ? { value } : null };
    values[element.blockId] = { ...values[element.blockId], [element.actionId]: given };
  }
  return values;
}
