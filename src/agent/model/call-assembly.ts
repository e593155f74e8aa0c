import { newId } from "../../core/ids.ts";
import type { ToolCall } from "./model.ts";

/** A tool call's fragment as OpenAI-compatible servers send it. Any field may be missing, null or empty. */
export interface CallFragment {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | object | null } | null;
  readonly extra_content?: unknown;
}

/** Longer arguments than any tool takes would only fill the trace. In characters. */
const LONGEST_ARGUMENTS = 100_000;
/** Whoever walks through arguments (schema, trace, comparison) does so level by level: deeper ones would end the walk, not the call. */
const DEEPEST_ARGUMENTS = 32;

interface Slot {
  readonly index: number | undefined;
  id: string;
  name: string;
  args: string;
  extra: unknown;
}

/**
 * Puts tool calls together from their fragments. Servers leave out the index, repeat it for different calls, start it at 1, repeat
 * the name in every fragment, send arguments as an object, or leave ids empty; calls still come out once each, in order.
 */
export class CallAssembly {
  readonly #slots: Slot[] = [];

  add(fragment: CallFragment) {
    const id = fragment.id ?? "";
    const name = fragment.function?.name ?? "";
    const raw = fragment.function?.arguments ?? "";
    const args = typeof raw === "string" ? raw : JSON.stringify(raw);
    const slot = this.#slotFor(fragment.index ?? undefined, id, name, args);
    slot.id ||= id;
    // A server that streams the name in pieces does so before any argument; one that repeats it does so whole.
    if (name.startsWith(slot.name)) slot.name = name;
    else if (slot.args === "" && !slot.name.endsWith(name)) slot.name += name;
    slot.args += args;
    if (fragment.extra_content !== undefined) slot.extra = fragment.extra_content;
  }

  /** Whether there is any call, and whether every call's arguments are whole. */
  get any(): boolean {
    return this.#slots.some(({ name }) => name !== "");
  }

  get whole(): boolean {
    return this.#slots.every(({ args }) => args.trim() === "" || isJson(args));
  }

  /**
   * The finished calls. Ids that are missing or were used before in this answer are replaced.
   * @param usedIds ids of earlier calls of the same conversation; the new ones are added
   */
  finish(usedIds: Set<string>): readonly (ToolCall & { readonly extra: unknown })[] {
    return this.#slots
      .filter(({ name }) => name !== "")
      .map(({ id: given, name, args, extra }) => {
        const id = given === "" || usedIds.has(given) ? `call_${newId().replaceAll("-", "")}` : given;
        usedIds.add(id);
        return { id, name, ...parsed(args), extra };
      });
  }

  #slotFor(index: number | undefined, id: string, name: string, args: string): Slot {
    const same = this.#candidate(index, id);
    if (same && !startsAnother(same, id, name, args)) return same;
    const slot: Slot = { index, id: "", name: "", args: "", extra: undefined };
    this.#slots.push(slot);
    return slot;
  }

  /** The call a fragment may continue: that of its index, else that of its id, else the last one. */
  #candidate(index: number | undefined, id: string): Slot | undefined {
    const last = (matches: (slot: Slot) => boolean) => this.#slots.findLast(matches);
    if (index !== undefined) return last((slot) => slot.index === index);
    return id === "" ? this.#slots.at(-1) : last((slot) => slot.id === id);
  }
}

/** Another id is another call; so is a name with whole arguments after a call whose arguments are whole. */
function startsAnother(slot: Slot, id: string, name: string, args: string): boolean {
  if (id !== "" && slot.id !== "" && id !== slot.id) return true;
  if (name === "" || !isJson(slot.args)) return false;
  return isJson(args) || (id === "" && slot.id === "" && slot.index === undefined);
}

function parsed(args: string): { params: unknown; invalid?: string } {
  const text = args.trim();
  if (text === "" || text === "null") return { params: {} };
  const invalid = { params: undefined, invalid: args.slice(0, LONGEST_ARGUMENTS) };
  if (text.length > LONGEST_ARGUMENTS) return invalid;
  try {
    const params = JSON.parse(text) as unknown;
    return isDeeperThan(DEEPEST_ARGUMENTS, params) ? invalid : { params };
  } catch {
    return invalid;
  }
}

/** Goes down level by level without recursion, and no further than it must. */
function isDeeperThan(levels: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
