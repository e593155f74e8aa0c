/** Whose tools of which workspace. */
export interface PersonRequest {
  readonly workspace: string;
  /** Handle of the person. */
  readonly as: string;
}

export interface PersonCallRequest extends PersonRequest {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** News of a call that runs: which step of how many (absent: not known), and in words. */
export interface CallProgress {
  readonly step: number;
  readonly of?: number;
  readonly words: string;
}
