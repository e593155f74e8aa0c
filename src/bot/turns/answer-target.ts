import { readNamedFile } from "../documents/named-file.ts";
import type { AnswerTarget } from "../ports.ts";
import type { Prepared } from "./prepared.ts";
import type { Lease, StartedTurn } from "./turn-store.ts";

/** Where a turn's answer goes, and what its reader needs beside it. */
export function answerTarget(lease: Lease, turn: StartedTurn, prepared: Prepared | undefined): AnswerTarget {
  return {
    tenant: lease.tenant,
    turn: lease.turn,
    attempt: turn.earlierAttempts,
    channel: turn.channel,
    thread: turn.thread,
    person: turn.person,
    withFiles: turn.files?.some((file) => readNamedFile(file).id !== undefined) ?? false,
    ...(prepared?.kind === "ask" && { question: prepared.text, recipientTeam: prepared.team, reach: prepared.reach }),
  };
}
