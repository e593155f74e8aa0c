/** A question of playground/seed/questions.json. */
export interface SeedQuestion {
  readonly workspace: string;
  /** A person's name. */
  readonly as: string;
  /** A channel's name or "direct". */
  readonly channel: string;
  readonly question: string;
  /** What an answer must hold. */
  readonly expect: readonly string[];
  /** Where it stands. */
  readonly source?: { readonly title: string; readonly page?: number };
  /** Nothing this audience may read holds the answer. */
  readonly refuse?: true;
  /** What must not be shown to it. */
  readonly hidden?: readonly string[];
}
