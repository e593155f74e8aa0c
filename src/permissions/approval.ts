import type { Tool, ToolEffect } from "../plugins/contract.ts";
import { answeredWithOwnRights } from "./audience.ts";
import type { Person, Place } from "./directory.ts";

/** What is known of the text that the model has read so far in one answer. Only grows. */
export interface Reading {
  /** Text of others is in the context: documents, pages, results, messages of third persons. */
  readonly tainted: boolean;
  /** Text that not the whole workspace may read is in the context. */
  readonly private: boolean;
  /** Addresses that the asker wrote or that results of this answer named, exactly. */
  readonly addresses: ReadonlySet<string>;
  /** What the asker wrote. */
  readonly asked: string;
}

/** Whether a call may run: at once, after a click of the asker, or (destructive ones) after a click of an asker who is an admin. */
export type ClickNeeded = "none" | "asker" | "admin";

/** Longest query that a trusted search service gets without a click, in characters. */
const SHORT_QUERY = 200;

/** What a tool may do: what was said on purpose, else the annotations of a plugin that runs in this process. Silence is no promise to only read. */
export function effectOf({ effect, annotations }: Pick<Tool, "effect" | "annotations">): ToolEffect {
  if (effect) return effect;
  if (annotations?.destructive) return "destructive";
  if (annotations?.readOnly !== true) return "side-effect";
  return annotations.openWorld ? "read-outside" : "read-inside";
}

/**
 * Who must click before a call runs. Once text of others is in the context, whatever it orders must not reach the world outside unseen:
 * reading outside then needs a click unless the asker or a result named exactly this address, or a trusted search gets a short query;
 * with private text in the context it always does. What changes something always waits, and so does what shows to all in a channel what
 * only the asker may see.
 */
export function clickNeeded(tool: Tool, params: unknown, reading: Reading, place: Place): ClickNeeded {
  const shown = isShownToAll(tool, place);
  switch (effectOf(tool)) {
    case "read-inside":
      return shown ? "asker" : "none";
    case "read-outside":
      return !shown && readsFreely(tool, params, reading) ? "none" : "asker";
    case "side-effect":
    case "unknown":
      return "asker";
    case "destructive":
      return "admin";
  }
}

/** Whether what a call finds with the asker's own log-in is read by others, too. */
export const isShownToAll = ({ login }: Tool, place: Place): boolean => login !== undefined && place.kind !== "direct";

/** Whether somebody may have their own log-in used for an answer here at all: never where a guest or an outsider may read along. */
export const mayShowOwn = (place: Place, person: Person): boolean => place.kind === "direct" || answeredWithOwnRights(place, person);

/** Whether one click may count for the rest of a thread: for reading only. What changes something is asked for each time. */
export const mayRemember = (tool: Tool): boolean => ["read-inside", "read-outside"].includes(effectOf(tool));

function readsFreely(tool: Tool, params: unknown, { tainted, private: secret, addresses, asked }: Reading): boolean {
  if (!tainted) return true;
  if (secret) return false;
  try {
    const address = tool.opensAddress?.(params);
    if (address !== undefined) return addresses.has(address);
    const query = tool.trustedQuery?.(params);
    if (query !== undefined) return query !== "" && (asked.includes(query) || isHarmless(query));
  } catch {
    return false;
  }
  return false;
}

/** A few words without anything that a browser or a mail program would take for an address. */
const isHarmless = (query: string): boolean => query.length <= SHORT_QUERY && !/:\/\/|www\.|@|\b[\p{L}\p{N}-]+\.\p{L}{2,}\b/iu.test(query);
