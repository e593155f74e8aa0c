import type { Feedback, RatedAnswer, Rating, TenantFeedback } from "../../agent/feedback.ts";
import { channelId, messageTs, type PersonId, personId, type TenantId, type TraceId, traceId } from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";

/** Comments shown of one answer. */
const commentsShown = 3;

/** One tenant's feedback in Postgres. */
export class FeedbackRepository implements TenantFeedback {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  async save({ trace, person, rating, comment }: Feedback): Promise<void> {
    await this.#transaction((manager) =>
      manager.query(
        `INSERT INTO feedback AS f (tenant_id, trace_id, person, rating, comment) VALUES ($1, $2, $3, $4, coalesce($5, ''))
         ON CONFLICT (tenant_id, trace_id, person) DO UPDATE SET
           rating = excluded.rating, comment = coalesce($5, f.comment), given_at = now()`,
        [this.#tenant, trace, person, rating, comment?.replaceAll("\0", "") ?? null],
      ),
    );
  }

  find(trace: TraceId, person: PersonId): Promise<{ readonly rating: Rating; readonly comment: string } | undefined> {
    return this.#transaction(async (manager) => {
      const [row] = await manager.query<{ rating: Rating; comment: string }[]>(
        "SELECT rating, comment FROM feedback WHERE trace_id = $1 AND person = $2",
        [trace, person],
      );
      return row;
    });
  }

  worst({ limit, offset }: { readonly limit: number; readonly offset: number }) {
    return this.#transaction(async (manager) => {
      const rows = await manager.query<WorstRow[]>(
        `SELECT t.id, t.channel, t.thread_ts, t.person, t.started_at, f.*, count(*) OVER ()::int AS total
         FROM (
           SELECT trace_id, count(*) FILTER (WHERE rating = 'up')::int AS up, count(*) FILTER (WHERE rating = 'down')::int AS down,
                  max(given_at) AS newest,
                  coalesce(jsonb_agg(jsonb_build_object('person', person, 'text', comment) ORDER BY given_at DESC)
                    FILTER (WHERE rating = 'down' AND comment <> ''), '[]') AS comments
           FROM feedback GROUP BY trace_id) AS f
         JOIN traces AS t ON t.id = f.trace_id
         WHERE f.down > 0
         ORDER BY f.down - f.up DESC, f.newest DESC, t.id LIMIT $1 OFFSET $2`,
        [limit, offset],
      );
      return { answers: rows.map(toRated), total: rows[0]?.total ?? 0 };
    });
  }
}

interface WorstRow {
  readonly id: string;
  readonly channel: string;
  readonly thread_ts: string | null;
  readonly person: string;
  readonly started_at: Date;
  readonly up: number;
  readonly down: number;
  readonly comments: readonly { readonly person: string; readonly text: string }[];
  readonly total: number;
}

const toRated = (row: WorstRow): RatedAnswer => ({
  trace: traceId(row.id),
  channel: channelId(row.channel),
  ...(row.thread_ts !== null && { thread: messageTs(row.thread_ts) }),
  person: personId(row.person),
  answeredAt: new Date(row.started_at),
  up: row.up,
  down: row.down,
  comments: row.comments.slice(0, commentsShown).map(({ person, text }) => ({ person: personId(person), text })),
});
