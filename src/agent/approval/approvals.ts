import { createHash } from "node:crypto";
import { canonicalJson } from "../../core/canonical-json.ts";
import { clickNeeded, effectOf, isShownToAll, mayRemember } from "../../permissions/approval.ts";
import { atLeast } from "../../permissions/roles.ts";
import type { Tool, ToolResult } from "../../plugins/contract.ts";
import { failure } from "../../plugins/define.ts";
import type { Approvals, CallToAllow } from "../ports.ts";
import type { ReadSoFar } from "../reading.ts";
import type { Session } from "../session.ts";
import { problemWith } from "../tools/parameters.ts";
import { notices, refused, waitingFor } from "./refusal.ts";
import { type WaitingParts, whileWaiting } from "./waiting.ts";

export interface ClickParts extends WaitingParts {
  readonly session: Session;
  readonly reading: ReadSoFar;
  readonly approvals: Approvals | undefined;
  readonly signal: AbortSignal;
}

/** A call that may run now, with exactly these arguments. */
export interface Allowed {
  readonly params: unknown;
  /** Whether its asker has changed the arguments. */
  readonly edited: boolean;
  finished(): Promise<void>;
}

/** Lets a call through at once, after a click, or not at all: then the result says why. */
export async function allowed(tool: Tool, params: unknown, parts: ClickParts): Promise<Allowed | ToolResult> {
  const { session, reading, approvals } = parts;
  const state = reading.state;
  const needed = clickNeeded(tool, params, state, session.place);
  if (needed === "none") return { params, edited: false, finished: async () => undefined };
  if (needed === "admin" && !atLeast(session.person.role, "admin")) return refusals.admin;
  if (!approvals) return refusals.nobody;
  const call: CallToAllow = {
    tool: tool.name,
    title: tool.annotations?.title ?? tool.name,
    ...(tool.server !== undefined && { server: tool.server }),
    effect: effectOf(tool),
    fingerprint: fingerprintOf(tool),
    arguments: canonicalJson(params),
    mayRemember: mayRemember(tool),
    confidential: state.private,
    readByAll: isShownToAll(tool, session.place),
    check: (changed) => problemWith(changed, tool),
  };
  const permission = await whileWaiting(waitingFor.click, parts, (asked) => approvals.ask(session.question, call, parts.signal, asked));
  if (permission.verdict !== "allowed") return refusals[permission.verdict];
  // Meanwhile somebody may have switched the tool off.
  await session.refresh();
  if (!session.tools.some(({ name }) => name === tool.name)) return failure("NOT_ENABLED", session.whyNot(tool.name), { status: "denied" });
  // Checked where it was typed; perhaps by another process, which knew another form of the tool.
  const problem = permission.edited === undefined ? undefined : problemWith(JSON.parse(permission.edited), tool);
  if (problem !== undefined) return failure("BAD_PARAMETERS", `The asker changed the arguments to some that do not fit: ${problem}`);
  // Only now: a call that was refused above never ran, and nobody may be told that it might have.
  if (!(await permission.begin())) return refusals.running;
  // What runs is what was shown, not an object that somebody may have changed meanwhile.
  return {
    params: JSON.parse(permission.edited ?? call.arguments),
    edited: permission.edited !== undefined,
    finished: permission.finished,
  };
}

const refusals = {
  denied: refused("NOT_ALLOWED", "The asker did not allow this call. Do not make it again; answer without it."),
  expired: refused("EXPIRED", "Nobody clicked in time, so the call was not made. Say so.", notices.noClick),
  running: refused(
    "OUTCOME_UNKNOWN",
    "This call was begun before this answer was interrupted. Whether it took effect is not known. Say so, and do not make it again.",
    notices.outcomeUnknown,
  ),
  done: refused(
    "DONE_BEFORE",
    "This call has already run for this question; its result is not known any more. Say so, and do not make it again.",
    notices.doneBefore,
  ),
  "too-long": refused(
    "TOO_LONG_TO_SHOW",
    "The arguments are too long to be shown to the asker whole, so the call cannot be allowed. Make them shorter, or several calls.",
  ),
  nobody: refused(
    "NEEDS_CLICK",
    "This call needs a click of the asker, for which there is no way here. Say that it can be asked for in a conversation in Slack.",
  ),
  admin: refused("NEEDS_ADMIN", "This call can destroy something, so only a workspace admin can ask for it."),
} as const;

/** By which a call is known again: of the tool as the model knew it. */
export const fingerprintOf = ({ name, description, parameters, effect, server }: Tool): string =>
  createHash("sha256").update(canonicalJson({ name, description, parameters, effect, server })).digest("hex");
