import type { Json } from "./state.ts";

/** An element as it is sent when used: a button with its own value, a menu with the option chosen. Throws when it offers no such thing. */
export function chosen(element: Json, value: string | undefined, more: readonly Json[] = []): Json {
  if (element.type === "button" || value === undefined) return element;
  const groups = (element.option_groups as { options: Json[] }[] | undefined) ?? [];
  const options = [...((element.options as Json[] | undefined) ?? []), ...groups.flatMap((group) => group.options), ...more];
  const buttons = [element.positive_button, element.negative_button] as (Json | undefined)[];
  if (buttons.some((button) => button?.value === value)) return { ...element, value };
  const option = options.find((candidate) => candidate.value === value);
  if (!option) throw new Error(`The element offers no ${value}.`);
  return { ...element, selected_option: option };
}

/** The element with this action id, wherever it is inside the blocks, with the id of its block. */
export function findElement(
  blocks: readonly Json[],
  actionId: string,
  wantedBlock?: string,
): { readonly element: Json; readonly blockId: string } | undefined {
  for (const block of blocks) {
    const blockId = String(block.block_id ?? "");
    if (wantedBlock && wantedBlock !== blockId) continue;
    const element = findInside(block, actionId);
    if (element) return { element, blockId };
  }
  return undefined;
}

function findInside(value: unknown, actionId: string): Json | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!Array.isArray(value) && (value as Json).action_id === actionId) return value as Json;
  for (const inner of Object.values(value)) {
    const found = findInside(inner, actionId);
    if (found) return found;
  }
  return undefined;
}
