/** How much one answer may cost. When one of these is reached the answer is finished from what is known, never dropped. */
export interface Limits {
  /** Model calls of one answer, the last synthesis not counted. */
  readonly steps: number;
  /** Tool calls of one answer. */
  readonly calls: number;
  /** Tool calls at the same moment; the rest wait their turn. */
  readonly parallel: number;
  /** Milliseconds until the answer is brought to its end. */
  readonly wallMs: number;
  /** What `wallMs` may grow to when a tool with a longer limit is called. */
  readonly longestWallMs: number;
  /** Milliseconds the last synthesis may take beyond the wall. */
  readonly synthesisMs: number;
  /** Tokens over all model calls of one answer. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Longest answer in characters. */
  readonly answerChars: number;
  /** Time limit of a tool that names none, and the longest one that can be granted, in milliseconds. */
  readonly toolMs: number;
  readonly longestToolMs: number;
  /** Longest text of one call handed to the model, sources included, in characters. */
  readonly toolOutputChars: number;
  /** The call with the same arguments that is no longer run: the third. */
  readonly identicalCalls: number;
  /** How much of a thread is remembered: messages, and tokens. */
  readonly historyMessages: number;
  readonly historyTokens: number;
}

export const defaultLimits: Limits = {
  steps: 12,
  calls: 24,
  parallel: 8,
  wallMs: 180_000,
  longestWallMs: 600_000,
  synthesisMs: 60_000,
  inputTokens: 100_000,
  outputTokens: 8_000,
  answerChars: 12_000,
  toolMs: 30_000,
  longestToolMs: 300_000,
  toolOutputChars: 65_536,
  identicalCalls: 3,
  historyMessages: 40,
  historyTokens: 8_000,
};
