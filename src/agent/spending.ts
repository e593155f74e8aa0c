import type { ChannelId, PersonId } from "../core/ids.ts";

/** Whose tokens a budget counts: everybody's, those asked for in one channel, or those of each person. */
export type BudgetScope = "workspace" | "channel" | "person";

/** What one tenant's answers have cost in the month that is running (UTC), and may. Tokens are those that models read and wrote, together. */
export interface Spending {
  /** What a workspace's admins allow in a month. Asked for with every question, so it may be a minute old. */
  budgets(): Promise<MonthBudgets>;
  /** What was spent this month in the scopes that count for a question. */
  spent(channel: ChannelId, person: PersonId): Promise<Readonly<Record<BudgetScope, number>>>;
}

/** Tokens a month. A channel's are in its template. */
export interface MonthBudgets {
  readonly workspace?: number;
  readonly person?: number;
}

/** At this share of a budget people are told. */
const nearly = 0.8;

/** How it stands with the budget that is closest to its end; nothing while all have room. */
export interface BudgetState {
  readonly scope: BudgetScope;
  /** Of 100; 100 when it is used up. */
  readonly percent: number;
  readonly usedUp: boolean;
}

/**
 * Looks at the budgets that hold for a question. The question that crosses a limit is still answered: what it will cost is known only
 * afterwards, as it is for those that are being answered at the same moment.
 * @param channelTokens what the channel's template allows in a month
 */
export async function budgetState(
  spending: Spending,
  { channel, person }: { readonly channel: ChannelId; readonly person: PersonId },
  channelTokens: number | undefined,
): Promise<BudgetState | undefined> {
  const { workspace, person: each } = await spending.budgets();
  const budgets = Object.entries({ workspace, channel: channelTokens, person: each }).flatMap(([scope, most]) =>
    most === undefined ? [] : [{ scope: scope as BudgetScope, most }],
  );
  if (budgets.length === 0) return undefined;
  const spent = await spending.spent(channel, person);
  const shares = budgets.map(({ scope, most }) => ({ scope, share: spent[scope] / most }));
  const worst = shares.reduce((one, other) => (other.share > one.share ? other : one));
  if (worst.share < nearly) return undefined;
  return { scope: worst.scope, percent: Math.min(100, Math.floor(worst.share * 100)), usedUp: worst.share >= 1 };
}

/** The sentence for people, about a budget that is nearly or wholly used up. */
export const budgetNotice = ({ scope, percent, usedUp }: BudgetState): string =>
  usedUp ? budgetNotices.usedUp[scope] : budgetNotices.nearly[scope](percent);

const instead = "is used up, so the best passages of the documents are quoted instead.";
const budgetNotices = {
  usedUp: {
    workspace: `This workspace's budget for the month ${instead}`,
    channel: `This channel's budget for the month ${instead}`,
    person: `Your budget for the month ${instead}`,
  },
  nearly: {
    workspace: (percent) => `${percent} % of this workspace's budget for the month is used up.`,
    channel: (percent) => `${percent} % of this channel's budget for the month is used up.`,
    person: (percent) => `${percent} % of your budget for the month is used up.`,
  },
} satisfies { usedUp: Record<BudgetScope, string>; nearly: Record<BudgetScope, (percent: number) => string> };
