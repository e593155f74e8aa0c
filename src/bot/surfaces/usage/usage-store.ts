import type { MonthBudgets } from "../../../agent/spending.ts";
import type { ChannelId, PersonId } from "../../../core/ids.ts";
import type { Once } from "../../commands/command-store.ts";

/** What was used in the month that is running (UTC). */
export interface MonthUsage {
  readonly answers: number;
  /** Read and written by models, together. */
  readonly tokens: number;
}

/** What one tenant's people have used, and what they may. */
export interface TenantUsage {
  ofPerson(person: PersonId): Promise<MonthUsage>;
  /** Everybody's, with the channels and the people that used most, those first. @param most how many of each */
  ofWorkspace(most: number): Promise<{
    readonly total: MonthUsage;
    readonly channels: readonly (MonthUsage & { readonly channel: ChannelId })[];
    readonly people: readonly (MonthUsage & { readonly person: PersonId })[];
  }>;
  /** As they stand at this moment. */
  budgetsNow(): Promise<MonthBudgets>;
  /** Sets how many tokens a month the workspace, or each person in it, may use; without a number any. */
  setBudget(once: Once, scope: keyof MonthBudgets, tokens: number | undefined): Promise<"changed" | "unchanged" | "seen">;
}
