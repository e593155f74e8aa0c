import type { ChannelTemplate } from "../../agent/templates/template.ts";
import type { Once, StoredTemplate } from "../../bot/commands/command-store.ts";
import type { Slice } from "../../bot/surfaces/home/home-store.ts";
import type { AskedQuestion, Saved, TemplateDesk, TemplateVersion } from "../../bot/surfaces/templates/template-store.ts";
import { type ChannelId, type MessageTs, type PersonId, personId, type TenantId } from "../../core/ids.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";
import { takeKey } from "./commands.ts";
import { storeVersion } from "./templates.ts";

/** A draft is of use while its author looks at it. */
const draftsKept = "1 day";

/** One tenant's templates, as they are written and tried out in Slack, in Postgres. */
export class TemplateDeskRepository implements TemplateDesk {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;

  constructor(tenant: TenantId, run: TenantTransaction) {
    this.#tenant = tenant;
    this.#run = run;
  }

  save({ key, attempts }: Once, template: ChannelTemplate, onto: number): Promise<Saved> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return { status: "seen" };
      const author = attempts[0]?.actor ?? "";
      const saved = await storeVersion(manager, this.#tenant, template, { author, onto });
      const outcome = saved.status === "stale" ? "refused" : saved.status === "unchanged" ? "unchanged" : "done";
      await noteAttempts(manager, this.#tenant, attempts, outcome);
      return saved;
    });
  }

  versions(name: string, { limit, offset }: Slice) {
    return this.#run(async (manager) => {
      const rows = await manager.query<(Omit<TemplateVersion, "createdAt"> & { readonly created_at: Date; readonly total: number })[]>(
        `SELECT version, author, created_at, count(*) OVER ()::int AS total FROM templates WHERE name = $1
         ORDER BY version DESC LIMIT $2 OFFSET $3`,
        [name, limit, offset],
      );
      const versions = rows.map(({ version, author, created_at }) => ({ version, author, createdAt: new Date(created_at) }));
      return { versions, total: rows[0]?.total ?? 0 };
    });
  }

  version(name: string, version: number): Promise<StoredTemplate | undefined> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<{ readonly content: ChannelTemplate }[]>(
        "SELECT content FROM templates WHERE name = $1 AND version = $2",
        [name, version],
      );
      return row && { ...row.content, version };
    });
  }

  keepDraft(template: ChannelTemplate, author: PersonId): Promise<string> {
    return this.#run(async (manager) => {
      await manager.query("DELETE FROM template_drafts WHERE created_at < now() - $1::interval", [draftsKept]);
      const [row] = await manager.query<{ readonly id: string }[]>(
        "INSERT INTO template_drafts (tenant_id, author, content) VALUES ($1, $2, $3) RETURNING id",
        [this.#tenant, author, JSON.stringify(template)],
      );
      return row?.id ?? "";
    });
  }

  draft(id: string, author: PersonId): Promise<ChannelTemplate | undefined> {
    return this.#run(async (manager) => {
      const [row] = await manager.query<{ readonly content: ChannelTemplate }[]>(
        "SELECT content FROM template_drafts WHERE id = $1 AND author = $2",
        [id, author],
      );
      return row?.content;
    });
  }

  lastQuestions(channel: ChannelId, limit: number): Promise<readonly AskedQuestion[]> {
    return this.#run(async (manager) => {
      const rows = await manager.query<
        { readonly id: string; readonly person: string; readonly created_at: Date; readonly question: string }[]
      >(
        `SELECT id, person, created_at, question FROM turns
         WHERE channel = $1 AND status NOT IN ('ignored', 'refused') AND question <> '' ORDER BY created_at DESC, id LIMIT $2`,
        [channel, limit],
      );
      return rows.map(({ id, person, created_at, question }) => ({
        turn: id,
        person: personId(person),
        askedAt: new Date(created_at),
        text: question,
      }));
    });
  }

  startThread({ key, attempts }: Once, channel: ChannelId, thread: MessageTs, name: string): Promise<boolean> {
    return this.#run(async (manager) => {
      if (!(await takeKey(manager, this.#tenant, key))) return false;
      await manager.query(
        "INSERT INTO thread_templates (tenant_id, channel_id, thread_ts, template, started_by) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
        [this.#tenant, channel, thread, name, attempts[0]?.actor ?? ""],
      );
      await noteAttempts(manager, this.#tenant, attempts, "done");
      return true;
    });
  }
}
