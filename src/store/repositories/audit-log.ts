import type { EntityManager } from "typeorm";
import type { Attempt } from "../../bot/commands/command-store.ts";
import type { TenantId } from "../../core/ids.ts";

type Outcome = "done" | "unchanged" | "refused";

/**
 * Adds lines to a tenant's audit log, inside the transaction of what they tell about. The log cannot be changed afterwards.
 * @param outcome what came of them all, or of each
 */
export async function noteAttempts(
  manager: EntityManager,
  tenant: TenantId,
  attempts: readonly Attempt[],
  outcome: Outcome | ((attempt: Attempt) => Outcome),
): Promise<void> {
  if (attempts.length === 0) return;
  await manager.query(
    `INSERT INTO audit_log (tenant_id, actor, action, subject, scope, channel_id, thread_ts, outcome)
     SELECT $1, a->>'actor', a->>'action', a->>'subject', coalesce(a->>'scope', ''), coalesce(a->>'channel', ''), coalesce(a->>'thread', ''), a->>'outcome'
     FROM jsonb_array_elements($2::jsonb) AS a`,
    [
      tenant,
      JSON.stringify(attempts.map((attempt) => ({ ...attempt, outcome: typeof outcome === "function" ? outcome(attempt) : outcome }))),
    ],
  );
}
