import type { TurnId } from "../../core/ids.ts";

/** Which piece of which answer a message is: written into its metadata, so that it can be found again. */
export interface MessageMark {
  readonly turn: TurnId;
  /** 0-based. */
  readonly part: number;
}

export interface WriteOptions {
  readonly mark?: MessageMark;
  /** The last state of an answer: goes before drafts and may use the reserve. */
  readonly final?: () => boolean;
  readonly signal?: AbortSignal;
}

const eventType = "footnote_answer";

/** The arguments that put a mark into a message. */
export const metadataOf = (mark?: MessageMark) =>
  mark ? { metadata: { event_type: eventType, event_payload: { turn_id: mark.turn, part: mark.part } } } : {};

/** Whether a message, as Slack gives it, carries this mark. */
export function carries(message: object, mark: MessageMark): boolean {
  const { metadata } = message as { metadata?: { event_type?: string; event_payload?: { turn_id?: unknown; part?: unknown } } };
  return (
    metadata?.event_type === eventType &&
    metadata.event_payload?.turn_id === mark.turn &&
    Number(metadata.event_payload?.part) === mark.part
  );
}
