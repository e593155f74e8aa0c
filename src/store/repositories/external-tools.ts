import type { EntityManager } from "typeorm";
import type { TenantId } from "../../core/ids.ts";
import type { ToolEffect } from "../../plugins/contract.ts";
import type { ApprovedTool, ExternalTools, KnownTool, OfferedTool, ToolApprovals, ToolDefinition } from "../../plugins/external-tools.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";

/** One tenant's external tools in Postgres: what its servers offer, and what its admins have approved. */
export class ExternalToolRepository implements ExternalTools, ToolApprovals {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;

  constructor(tenant: TenantId, run: TenantTransaction) {
    this.#tenant = tenant;
    this.#run = run;
  }

  offered(server: string, tools: readonly OfferedTool[], { partial } = { partial: false }): Promise<readonly string[]> {
    return this.#run(async (manager) => {
      if (!partial)
        await manager.query("UPDATE external_tools SET gone = true WHERE server = $1 AND NOT gone AND tool <> ALL ($2::text[])", [
          server,
          tools.map(({ tool }) => tool),
        ]);
      const waiting: string[] = [];
      for (const { tool, name, definition, fingerprint } of tools) {
        // Nothing is written for a tool that is as it was: lists are read every few minutes.
        const [row] = await manager.query<{ waits: boolean }[]>(
          `INSERT INTO external_tools AS known (tenant_id, server, tool, name, definition, fingerprint) VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (tenant_id, server, tool) DO UPDATE
             SET name = excluded.name, definition = excluded.definition, fingerprint = excluded.fingerprint, gone = false, seen_at = now()
             WHERE known.gone OR known.name <> excluded.name OR known.fingerprint <> excluded.fingerprint
           RETURNING known.fingerprint IS DISTINCT FROM known.approved_fingerprint
             AND known.fingerprint IS DISTINCT FROM known.told_fingerprint AS waits`,
          [this.#tenant, server, tool, name, JSON.stringify(definition), fingerprint],
        );
        if (row?.waits) waiting.push(name);
      }
      if (waiting.length > 0)
        await manager.query("UPDATE external_tools SET told_fingerprint = fingerprint WHERE server = $1 AND name = ANY ($2::text[])", [
          server,
          waiting,
        ]);
      return waiting;
    });
  }

  async approved(perPerson: readonly string[] = []): Promise<readonly ApprovedTool[]> {
    const rows = await this.#run((manager) =>
      manager.query<(Row & { readonly approved: ToolDefinition; readonly approvedFingerprint: string })[]>(
        `${columns} WHERE NOT gone AND (fingerprint = approved_fingerprint OR approved_fingerprint IS NOT NULL AND server = ANY ($1::text[]))
         ORDER BY name`,
        [perPerson],
      ),
    );
    return rows.map(({ server, tool, name, approved, approvedFingerprint, effect }) => ({
      ...{ server, tool, name, definition: approved, fingerprint: approvedFingerprint },
      ...(effect !== null && { effect }),
    }));
  }

  async list(): Promise<readonly KnownTool[]> {
    const rows = await this.#run((manager) => manager.query<Row[]>(`${columns} ORDER BY server, name`));
    return rows.map(({ server, tool, name, definition, fingerprint, effect, ...row }) => ({
      ...{ server, tool, name, definition, fingerprint },
      status: statusOf({ ...row, fingerprint }),
      ...(row.approved && { approved: row.approved }),
      ...(effect !== null && { effect }),
    }));
  }

  approve(shown: ReadonlyMap<string, string>, effect: ToolEffect | undefined, actor: string): Promise<readonly string[]> {
    return this.#change(
      // The form that was looked at, and no other: between the look and the approval the server may have offered another.
      `UPDATE external_tools SET approved_definition = definition, approved_fingerprint = fingerprint, effect = coalesce($3, effect),
         approved_by = $2, approved_at = now()
       WHERE NOT gone AND $1::jsonb->>name = fingerprint RETURNING name`,
      [JSON.stringify(Object.fromEntries(shown)), actor, effect ?? null],
      { actor, action: "external-approve" },
    );
  }

  revoke(names: readonly string[], actor: string): Promise<readonly string[]> {
    return this.#change(
      `UPDATE external_tools SET approved_definition = NULL, approved_fingerprint = NULL, approved_by = NULL, approved_at = NULL
       WHERE name = ANY ($1::text[]) AND approved_fingerprint IS NOT NULL RETURNING name`,
      [names],
      { actor, action: "external-revoke" },
    );
  }

  #change(
    sql: string,
    parameters: readonly unknown[],
    by: { readonly actor: string; readonly action: "external-approve" | "external-revoke" },
  ) {
    return this.#run(async (manager: EntityManager) => {
      const [rows] = await manager.query<[{ name: string }[]]>(sql, [...parameters]);
      const names = rows.map(({ name }) => name).sort();
      await noteAttempts(
        manager,
        this.#tenant,
        names.map((subject) => ({ ...by, subject })),
        "done",
      );
      return names;
    });
  }
}

const columns = `SELECT server, tool, name, definition, fingerprint, gone, approved_definition AS approved,
  approved_fingerprint AS "approvedFingerprint", effect FROM external_tools`;

interface Row {
  readonly server: string;
  readonly tool: string;
  readonly name: string;
  readonly definition: ToolDefinition;
  readonly fingerprint: string;
  readonly gone: boolean;
  readonly approved: ToolDefinition | null;
  readonly approvedFingerprint: string | null;
  readonly effect: ToolEffect | null;
}

function statusOf({
  gone,
  approvedFingerprint,
  fingerprint,
}: Pick<Row, "gone" | "approvedFingerprint" | "fingerprint">): KnownTool["status"] {
  if (gone) return "gone";
  if (approvedFingerprint === null) return "new";
  return approvedFingerprint === fingerprint ? "approved" : "changed";
}
