import type { CallApprovals, CallEntry, CallState, CardPlace, Decided, Decision } from "../../bot/approvals/approval-store.ts";
import { channelId, isUuid, messageTs, newId, type PersonId, personId, type TenantId } from "../../core/ids.ts";
import type { FormField } from "../../plugins/contract.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";

/** One tenant's calls that need a click, in Postgres. The database's clock says what has expired. */
export class CallApprovalRepository implements CallApprovals {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;

  constructor(tenant: TenantId, run: TenantTransaction) {
    this.#tenant = tenant;
    this.#run = run;
  }

  open(entry: CallEntry, waitMs: number): ReturnType<CallApprovals["open"]> {
    const { channel, message, thread, person, tool, fingerprint, arguments: args, rememberable, form } = entry;
    return this.#run(async (manager) => {
      const [made] = await manager.query<{ id: string }[]>(
        `INSERT INTO tool_approvals AS call
           (tenant_id, id, channel_id, message_ts, person_id, tool, fingerprint, arguments, state, expires_at, thread_ts, rememberable, form)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', clock_timestamp() + $9 * interval '1 millisecond', $10, $11, $12)
         ON CONFLICT (tenant_id, channel_id, message_ts, person_id, tool, fingerprint, md5(arguments)) DO UPDATE
           SET id = excluded.id, expires_at = excluded.expires_at, asked_at = now(), card_channel = '', card_ts = ''
           WHERE call.state = 'waiting' AND call.expires_at <= clock_timestamp()
         RETURNING id`,
        [
          this.#tenant,
          newId(),
          channel,
          message,
          person,
          tool,
          fingerprint,
          args,
          waitMs,
          thread ?? "",
          rememberable,
          form ? JSON.stringify(form) : null,
        ],
      );
      if (made) return { id: made.id, state: "waiting", isNew: true };
      const [found] = await manager.query<{ id: string; state: CallState; card: string; edited: string | null }[]>(
        `SELECT id, ${stateNow} AS state, card_ts AS card, edited_arguments AS edited FROM tool_approvals
         WHERE channel_id = $1 AND message_ts = $2 AND person_id = $3 AND tool = $4 AND fingerprint = $5 AND md5(arguments) = md5($6) AND arguments = $6`,
        [channel, message, person, tool, fingerprint, args],
      );
      if (!found) throw new Error("The entry of a call has gone.");
      // A crash came between the entry and its card.
      return { id: found.id, state: found.state, isNew: found.state === "waiting" && found.card === "", ...editedIn(found) };
    });
  }

  async placed(id: string, { channel, ts }: CardPlace): Promise<void> {
    await this.#query("UPDATE tool_approvals SET card_channel = $2, card_ts = $3 WHERE id = $1", [id, channel, ts]);
  }

  async look(id: string): ReturnType<CallApprovals["look"]> {
    const [row] = await this.#query<{ state: CallState; channel: string; ts: string; edited: string | null }[]>(
      `SELECT ${stateNow} AS state, card_channel AS channel, card_ts AS ts, edited_arguments AS edited FROM tool_approvals WHERE id = $1`,
      [id],
    );
    if (!row) return undefined;
    const card = row.ts === "" ? undefined : { channel: channelId(row.channel), ts: messageTs(row.ts) };
    return { state: row.state, card, ...editedIn(row) };
  }

  async editable(id: string, person: PersonId): ReturnType<CallApprovals["editable"]> {
    if (!isUuid(id)) return "unknown";
    const [row] = await this.#query<(Row & { state: CallState; arguments: string; form: readonly FormField[] | null })[]>(
      `SELECT *, ${stateNow} AS state FROM tool_approvals WHERE id = $1`,
      [id],
    );
    if (!row) return "unknown";
    if (row.person_id !== person) return "not-yours";
    if (row.state !== "waiting") return row.state === "expired" ? "expired" : "decided-before";
    return { tool: row.tool, arguments: row.arguments, ...(row.form && { form: row.form }) };
  }

  decide(
    id: string,
    person: PersonId,
    decision: Decision,
    edited?: string,
  ): Promise<{ readonly outcome: Decided; readonly asker?: PersonId }> {
    if (!isUuid(id)) return Promise.resolve({ outcome: "unknown" });
    return this.#run(async (manager) => {
      const [row] = await manager.query<(Row & { state: CallState })[]>(
        `SELECT *, ${stateNow} AS state FROM tool_approvals WHERE id = $1 FOR UPDATE`,
        [id],
      );
      if (!row) return { outcome: "unknown" };
      const asker = personId(row.person_id);
      const action = decision === "deny" ? ("call-deny" as const) : ("call-allow" as const);
      const note = (outcome: "done" | "refused") =>
        noteAttempts(manager, this.#tenant, [{ actor: person, action, subject: row.tool, channel: channelId(row.channel_id) }], outcome);
      if (asker !== person) {
        await note("refused");
        return { outcome: "not-yours", asker };
      }
      if (row.state !== "waiting") return { outcome: row.state === "expired" ? "expired" : "decided-before", asker };
      const state = decision === "deny" ? "denied" : "allowed";
      const change = "UPDATE tool_approvals SET state = $2, decided_at = clock_timestamp(), edited_arguments = $3 WHERE id = $1";
      await manager.query(change, [id, state, decision === "once" ? (edited ?? null) : null]);
      if (decision === "thread" && row.rememberable)
        await manager.query(
          `INSERT INTO thread_permissions (tenant_id, channel_id, thread_ts, person_id, tool, fingerprint) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT DO NOTHING`,
          [this.#tenant, row.channel_id, row.thread_ts, row.person_id, row.tool, row.fingerprint],
        );
      await note("done");
      return { outcome: state, asker };
    });
  }

  async start(id: string, { tool, fingerprint, arguments: args, person }: CallEntry, edited?: string): Promise<boolean> {
    const [rows] = await this.#query<[unknown[]]>(
      `UPDATE tool_approvals SET state = 'running'
       WHERE id = $1 AND state = 'allowed' AND tool = $2 AND fingerprint = $3 AND arguments = $4 AND person_id = $5
         AND edited_arguments IS NOT DISTINCT FROM $6 RETURNING id`,
      [id, tool, fingerprint, args, person, edited ?? null],
    );
    return rows.length === 1;
  }

  async finished(id: string): Promise<void> {
    await this.#query("UPDATE tool_approvals SET state = 'done' WHERE id = $1 AND state = 'running'", [id]);
  }

  async withdraw(id: string): Promise<void> {
    // Nobody has decided: asked for again, it is put to its asker again, on a card of its own.
    await this.#query("UPDATE tool_approvals SET expires_at = clock_timestamp() WHERE id = $1 AND state = 'waiting'", [id]);
  }

  async remembered({ channel, thread, person, tool, fingerprint, rememberable }: CallEntry): Promise<boolean> {
    if (!rememberable || !thread) return false;
    const rows = await this.#query<unknown[]>(
      "SELECT 1 FROM thread_permissions WHERE channel_id = $1 AND thread_ts = $2 AND person_id = $3 AND tool = $4 AND fingerprint = $5",
      [channel, thread, person, tool, fingerprint],
    );
    return rows.length > 0;
  }

  #query<Result>(sql: string, parameters: readonly unknown[]): Promise<Result> {
    return this.#run((manager) => manager.query<Result>(sql, [...parameters]));
  }
}

const editedIn = ({ edited }: { readonly edited: string | null }): { readonly edited?: string } => (edited === null ? {} : { edited });

const stateNow = "CASE WHEN state = 'waiting' AND expires_at <= clock_timestamp() THEN 'expired' ELSE state END";

interface Row {
  readonly channel_id: string;
  readonly thread_ts: string;
  readonly person_id: string;
  readonly tool: string;
  readonly fingerprint: string;
  readonly rememberable: boolean;
}
