import type { Question } from "../../agent/ports.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Prepared } from "./prepared.ts";
import type { StartedTurn } from "./turn-store.ts";

/** A turn's question as the agent gets it. */
export function askedQuestion(
  tenant: TenantId,
  { channel, thread, ts, person }: StartedTurn,
  { text, reach, attachments }: Extract<Prepared, { kind: "ask" }>,
  additions: NonNullable<Question["additions"]>,
): Question {
  return {
    ...{ tenant, person, channel, thread, message: ts, text, additions },
    ...(reach?.kind === "channel" && { rights: reach.rights }),
    ...(attachments && { attachments }),
  };
}
