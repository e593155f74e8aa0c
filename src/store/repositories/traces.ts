import type { Traces } from "../../agent/ports.ts";
import type { CitedSource, TraceEntry, TraceRecord } from "../../agent/trace.ts";
import { channelId, isUuid, messageTs, personId, type TenantId, type TraceId, traceId } from "../../core/ids.ts";
import { prepared } from "../prepared.ts";
import { type TenantTransaction, unhurried } from "../transaction.ts";
import { thisMonth } from "./spending.ts";

/** One tenant's traces in Postgres. */
export class TraceRepository implements Traces {
  readonly #transaction: TenantTransaction;
  readonly #tenant: TenantId;

  constructor(transaction: TenantTransaction, tenant: TenantId) {
    this.#transaction = transaction;
    this.#tenant = tenant;
  }

  async save(trace: TraceRecord): Promise<void> {
    const {
      id,
      person,
      channel,
      thread,
      message,
      startedAt,
      ms,
      status,
      errorCode,
      inputTokens,
      outputTokens,
      entries,
      cited = [],
    } = trace;
    await this.#transaction((manager) =>
      manager.query(saving, [
        ...[this.#tenant, id, person, channel, thread ?? null, startedAt.toISOString(), ms, status, errorCode ?? null],
        ...[inputTokens, outputTokens, storable(entries), storable(cited), message ?? null],
      ]),
    );
  }

  /** Takes out what answers quote of a file that came with their question: it is deleted in Slack. */
  async forgetFile(file: string): Promise<void> {
    await this.#transaction((manager) =>
      manager.query(
        `UPDATE traces SET cited = (
           SELECT coalesce(jsonb_agg(source ORDER BY place), '[]') FROM jsonb_array_elements(cited) WITH ORDINALITY AS each (source, place)
           WHERE source->>'id' NOT LIKE $2 || ' %')
         WHERE tenant_id = $1 AND EXISTS (SELECT FROM jsonb_array_elements(cited) AS source WHERE source->>'id' LIKE $2 || ' %')`,
        [this.#tenant, file],
      ),
    );
  }

  async find(id: TraceId): Promise<TraceRecord | undefined> {
    if (!isUuid(id)) return undefined;
    return this.#transaction(async (manager) => {
      const [row] = await manager.query<Row[]>("SELECT * FROM traces WHERE tenant_id = $1 AND id = $2", [this.#tenant, id]);
      return row && toRecord(row);
    });
  }
}

interface Row {
  readonly id: string;
  readonly person: string;
  readonly channel: string;
  readonly thread_ts: string | null;
  readonly started_at: Date;
  readonly ms: number;
  readonly status: TraceRecord["status"];
  readonly error_code: string | null;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly entries: readonly TraceEntry[];
  readonly cited: readonly CitedSource[];
  readonly message_ts: string | null;
}

const toRecord = (row: Row): TraceRecord => ({
  id: traceId(row.id),
  person: personId(row.person),
  channel: channelId(row.channel),
  ...(row.thread_ts === null ? {} : { thread: messageTs(row.thread_ts) }),
  startedAt: new Date(row.started_at),
  ms: row.ms,
  status: row.status,
  ...(row.error_code === null ? {} : { errorCode: row.error_code }),
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  entries: row.entries,
  ...(row.message_ts === null ? {} : { message: messageTs(row.message_ts) }),
  ...(row.cited.length === 0 ? {} : { cited: row.cited }),
});

/** jsonb takes neither NUL nor half a surrogate pair, both of which a model can write into its arguments, even into a key. */
const storable = (entries: readonly unknown[]): string => JSON.stringify(entries.map(clean));

function clean(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\uFFFD");
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), clean(inner)]));
}

/** What it cost is counted with it, once however often it is saved. One that ended in an error is no answer, but may have cost something. */
const saving = prepared(`
  WITH saved AS (
    INSERT INTO traces (tenant_id, id, person, channel, thread_ts, started_at, ms, status, error_code, input_tokens, output_tokens, entries, cited, message_ts)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12::jsonb, $13::jsonb, $14) ON CONFLICT (tenant_id, id) DO NOTHING
    RETURNING tenant_id, person, channel, (status <> 'error')::int AS answers, input_tokens + output_tokens AS tokens)
  INSERT INTO usage_months (tenant_id, month, person_id, channel_id, answers, tokens)
  SELECT tenant_id, ${thisMonth}, person, channel, answers, tokens FROM saved
  ON CONFLICT (tenant_id, month, person_id, channel_id)
  DO UPDATE SET answers = usage_months.answers + excluded.answers, tokens = usage_months.tokens + excluded.tokens
  RETURNING ${unhurried}`);
