import type { StopCause } from "../../agent/events.ts";
import type { PersonId } from "../../core/ids.ts";
import type { HaltKind, Lease, TenantTurns } from "./turn-store.ts";

/** What people want of an answer that is being made. */
export type Halt =
  | { readonly kind: "stopped"; readonly by?: PersonId | undefined }
  /** Its question was deleted. */
  | { readonly kind: "cancelled" }
  /** Its question has another wording: it begins anew. */
  | { readonly kind: "replaced" };

/** What is said below an answer that is ended so. */
export function causeOf(halt: Halt): StopCause | undefined {
  switch (halt.kind) {
    case "stopped":
      return halt.by && { kind: "person", person: halt.by };
    case "cancelled":
      return { kind: "question-deleted" };
    case "replaced":
      return undefined;
    default:
      return halt satisfies never;
  }
}

/** What was found in the queue, with who wants it. Not knowing who is no reason to go on. */
export async function readHalt(kind: HaltKind, { turn }: Pick<Lease, "turn">, turns: Pick<TenantTurns, "stopper">): Promise<Halt> {
  return kind === "stopped" ? { kind, by: await turns.stopper(turn).catch(() => undefined) } : { kind };
}
