import { LRUCache } from "lru-cache";
import type { BudgetScope, MonthBudgets, Spending } from "../../agent/spending.ts";
import type { Once } from "../../bot/commands/command-store.ts";
import type { MonthUsage, TenantUsage } from "../../bot/surfaces/usage/usage-store.ts";
import { type ChannelId, channelId, type PersonId, personId, type TenantId } from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { takeKey } from "./commands.ts";

/** The first day of the month that is running, as the database's clock says. */
export const thisMonth = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";

/** Budgets of many tenants as they were a moment ago: they are looked at with every question and change a few times a year. */
export type RememberedBudgets = LRUCache<TenantId, MonthBudgets>;
/** How long a change at another process may go unnoticed, in milliseconds. */
const rememberedMs = 60_000;
export const rememberBudgets = (): RememberedBudgets => new LRUCache({ max: 10_000, ttl: rememberedMs });

/** What one tenant's answers cost and may cost, in Postgres. */
export class SpendingRepository implements Spending, TenantUsage {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;
  readonly #remembered: RememberedBudgets;

  constructor(tenant: TenantId, run: TenantTransaction, remembered: RememberedBudgets) {
    this.#tenant = tenant;
    this.#run = run;
    this.#remembered = remembered;
  }

  async budgets(): Promise<MonthBudgets> {
    const known = this.#remembered.get(this.#tenant);
    if (known) return known;
    const read = await this.budgetsNow();
    this.#remembered.set(this.#tenant, read);
    return read;
  }

  budgetsNow(): Promise<MonthBudgets> {
    return this.#run(async (manager) => {
      const rows = await manager.query<{ counts_for: keyof MonthBudgets; month_tokens: string }[]>(
        "SELECT counts_for, month_tokens FROM budgets",
      );
      return Object.fromEntries(rows.map(({ counts_for, month_tokens }) => [counts_for, Number(month_tokens)]));
    });
  }

  spent(channel: ChannelId, person: PersonId): Promise<Readonly<Record<BudgetScope, number>>> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<Record<BudgetScope, string>[]>(
        `SELECT coalesce(sum(tokens), 0) AS workspace,
                coalesce(sum(tokens) FILTER (WHERE channel_id = $1), 0) AS channel,
                coalesce(sum(tokens) FILTER (WHERE person_id = $2), 0) AS person
         FROM usage_months WHERE month = ${thisMonth}`,
        [channel, person],
      );
      return { workspace: Number(row?.workspace ?? 0), channel: Number(row?.channel ?? 0), person: Number(row?.person ?? 0) };
    });
  }

  ofPerson(person: PersonId): Promise<MonthUsage> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<UsageRow[]>(
        `SELECT coalesce(sum(answers), 0) AS answers, coalesce(sum(tokens), 0) AS tokens
         FROM usage_months WHERE month = ${thisMonth} AND person_id = $1`,
        [person],
      );
      return usageOf(row);
    });
  }

  async ofWorkspace(most: number): ReturnType<TenantUsage["ofWorkspace"]> {
    return this.#run(async (manager) => {
      const by = (column: "channel_id" | "person_id") =>
        manager.query<(UsageRow & { id: string })[]>(
          `SELECT ${column} AS id, sum(answers) AS answers, sum(tokens) AS tokens FROM usage_months WHERE month = ${thisMonth}
           GROUP BY ${column} ORDER BY sum(tokens) DESC, sum(answers) DESC, ${column} LIMIT $1`,
          [most],
        );
      const [total] = await manager.query<UsageRow[]>(
        `SELECT coalesce(sum(answers), 0) AS answers, coalesce(sum(tokens), 0) AS tokens FROM usage_months WHERE month = ${thisMonth}`,
      );
      const channels = await by("channel_id");
      const people = await by("person_id");
      return {
        total: usageOf(total),
        channels: channels.map((row) => ({ channel: channelId(row.id), ...usageOf(row) })),
        people: people.map((row) => ({ person: personId(row.id), ...usageOf(row) })),
      };
    });
  }

  async setBudget(
    { key, attempts }: Once,
    scope: keyof MonthBudgets,
    tokens: number | undefined,
  ): Promise<"changed" | "unchanged" | "seen"> {
    const outcome = await this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return "seen" as const;
      const [before] = await manager.query<{ month_tokens: string }[]>(
        "SELECT month_tokens FROM budgets WHERE counts_for = $1 FOR UPDATE",
        [scope],
      );
      if (tokens === undefined) await manager.query("DELETE FROM budgets WHERE counts_for = $1", [scope]);
      else
        await manager.query(
          `INSERT INTO budgets (tenant_id, counts_for, month_tokens) VALUES ($1, $2, $3)
           ON CONFLICT (tenant_id, counts_for) DO UPDATE SET month_tokens = excluded.month_tokens`,
          [this.#tenant, scope, tokens],
        );
      const changed = (before === undefined ? undefined : Number(before.month_tokens)) !== tokens;
      await noteAttempts(manager, this.#tenant, attempts, changed ? "done" : "unchanged");
      return changed ? ("changed" as const) : ("unchanged" as const);
    });
    this.#remembered.delete(this.#tenant);
    return outcome;
  }
}

interface UsageRow {
  readonly answers: string;
  readonly tokens: string;
}

const usageOf = (row: UsageRow | undefined): MonthUsage => ({ answers: Number(row?.answers ?? 0), tokens: Number(row?.tokens ?? 0) });
