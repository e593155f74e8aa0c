import type { AnswerHealth, RecentAnswer, Slice, TenantHome } from "../../bot/surfaces/home/home-store.ts";
import { type ChannelId, channelId, messageTs, type PersonId, traceId } from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";

/** What App Home shows of one tenant, from Postgres. */
export class HomeRepository implements TenantHome {
  readonly #run: TenantTransaction;

  constructor(run: TenantTransaction) {
    this.#run = run;
  }

  recent(person: PersonId, { limit, offset }: Slice) {
    return this.#run(async (manager) => {
      const rows = await manager.query<RecentRow[]>(
        `SELECT last.*, turns.question, count(*) OVER ()::int AS total
         FROM (
           SELECT DISTINCT ON (channel, message_ts) id, channel, thread_ts, message_ts, started_at, status, cited <> '[]' AS cites
           FROM traces WHERE person = $1 AND message_ts IS NOT NULL ORDER BY channel, message_ts, started_at DESC) AS last
         JOIN turns ON turns.channel = last.channel AND turns.message_ts = last.message_ts
         ORDER BY last.started_at DESC, last.id LIMIT $2 OFFSET $3`,
        [person, limit, offset],
      );
      return { answers: rows.map(toRecent), total: rows[0]?.total ?? 0 };
    });
  }

  channelTemplates(channels: readonly ChannelId[], { limit, offset }: Slice) {
    return this.#run(async (manager) => {
      const rows = await manager.query<{ channel_id: string; template: string; total: number }[]>(
        `SELECT channel_id, template, count(*) OVER ()::int AS total FROM channel_templates
         WHERE channel_id = ANY($1) ORDER BY channel_id LIMIT $2 OFFSET $3`,
        [channels, limit, offset],
      );
      const found = rows.map(({ channel_id, template }) => ({ channel: channelId(channel_id), template }));
      return { channels: found, total: rows[0]?.total ?? 0 };
    });
  }

  health(since: Date): Promise<AnswerHealth> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<AnswerHealth[]>(
        `SELECT count(*)::int AS answers, count(*) FILTER (WHERE status = 'error')::int AS failed,
                coalesce(percentile_disc(0.5) WITHIN GROUP (ORDER BY ms), 0)::int AS "medianMs",
                (SELECT count(*)::int FROM feedback WHERE given_at >= $1 AND rating = 'up') AS up,
                (SELECT count(*)::int FROM feedback WHERE given_at >= $1 AND rating = 'down') AS down
         FROM traces WHERE started_at >= $1`,
        [since.toISOString()],
      );
      return row ?? { answers: 0, failed: 0, medianMs: 0, up: 0, down: 0 };
    });
  }
}

interface RecentRow {
  readonly id: string;
  readonly channel: string;
  readonly thread_ts: string | null;
  readonly started_at: Date;
  readonly status: string;
  readonly cites: boolean;
  readonly question: string;
  readonly total: number;
}

const toRecent = (row: RecentRow): RecentAnswer => ({
  trace: traceId(row.id),
  channel: channelId(row.channel),
  ...(row.thread_ts !== null && { thread: messageTs(row.thread_ts) }),
  answeredAt: new Date(row.started_at),
  failed: row.status === "error",
  cites: row.cites,
  question: row.question,
});
