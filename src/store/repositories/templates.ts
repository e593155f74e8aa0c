import type { EntityManager } from "typeorm";
import { builtInTemplates } from "../../agent/templates/built-in.ts";
import { type ChannelTemplate, inThread } from "../../agent/templates/template.ts";
import type { StoredTemplate, TenantTemplates } from "../../bot/commands/command-store.ts";
import type { TenantId } from "../../core/ids.ts";
import { prepared } from "../prepared.ts";
import type { TenantTransaction } from "../transaction.ts";
import { noteAttempts } from "./audit-log.ts";

/** One tenant's templates. A version is never changed: other content is the next version, and channels follow the newest. */
export class TemplateRepository implements TenantTemplates {
  readonly #tenant: TenantId;
  readonly #run: TenantTransaction;

  constructor(tenant: TenantId, run: TenantTransaction) {
    this.#tenant = tenant;
    this.#run = run;
  }

  async list(): Promise<readonly StoredTemplate[]> {
    const own = await this.#run((manager) =>
      manager.query<Row[]>("SELECT DISTINCT ON (name) name, version, content FROM templates ORDER BY name, version DESC"),
    );
    const names = new Set(own.map(({ name }) => name));
    const builtIn = builtInTemplates.filter(({ name }) => !names.has(name)).map((template) => ({ ...template, version: 0 }));
    return [...own.map(fromRow), ...builtIn].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  find(name: string): Promise<StoredTemplate | undefined> {
    return this.#run((manager) => newest(manager, name));
  }

  inChannel(channel: string, thread?: string): Promise<ChannelTemplate | undefined> {
    return this.#run((manager) => templateIn(manager, channel, thread));
  }

  /** Stores a template, once per content. */
  apply(
    template: ChannelTemplate,
    actor: string,
  ): Promise<{ readonly version: number; readonly status: "added" | "changed" | "unchanged" }> {
    return this.#run(async (manager) => {
      const saved = await storeVersion(manager, this.#tenant, template, { author: actor });
      const outcome = saved.status === "unchanged" ? "unchanged" : "done";
      await noteAttempts(manager, this.#tenant, [{ actor, action: "template-apply", subject: template.name }], outcome);
      return saved;
    });
  }
}

interface StoredVersion {
  readonly version: number;
  readonly status: "added" | "changed" | "unchanged";
}

/** Stores a template as the next version, once per content. @param onto the version that must be the newest, 0 when there is none; any when absent */
export function storeVersion(
  manager: EntityManager,
  tenant: TenantId,
  template: ChannelTemplate,
  by: { readonly author: string },
): Promise<StoredVersion>;
export function storeVersion(
  manager: EntityManager,
  tenant: TenantId,
  template: ChannelTemplate,
  by: { readonly author: string; readonly onto: number },
): Promise<StoredVersion | { readonly status: "stale" }>;
export async function storeVersion(
  manager: EntityManager,
  tenant: TenantId,
  template: ChannelTemplate,
  { author, onto }: { readonly author: string; readonly onto?: number },
): Promise<StoredVersion | { readonly status: "stale" }> {
  await manager.query("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [`${tenant} template ${template.name}`]);
  const content = JSON.stringify(template);
  const [last] = await manager.query<{ version: number; same: boolean }[]>(
    "SELECT version, content = $2::jsonb AS same FROM templates WHERE name = $1 ORDER BY version DESC LIMIT 1",
    [template.name, content],
  );
  if (onto !== undefined && onto !== (last?.version ?? 0)) return { status: "stale" };
  if (last?.same) return { version: last.version, status: "unchanged" };
  const version = (last?.version ?? 0) + 1;
  await manager.query("INSERT INTO templates (tenant_id, name, version, content, author) VALUES ($1, $2, $3, $4, $5)", [
    tenant,
    template.name,
    version,
    content,
    author,
  ]);
  return { version, status: last ? "changed" : "added" };
}

/** The newest version of a template: the tenant's own, else the built-in one. */
export async function newest(manager: EntityManager, name: string): Promise<StoredTemplate | undefined> {
  const [row] = await manager.query<Row[]>(newestNamed, [name]);
  if (row) return fromRow(row);
  const builtIn = builtInTemplates.find((template) => template.name === name);
  return builtIn && { ...builtIn, version: 0 };
}

/** The template that holds in a channel, or in a thread of it that was started from another one. */
export async function templateIn(manager: EntityManager, channel: string, thread = ""): Promise<ChannelTemplate | undefined> {
  const [row] = await manager.query<{ chosen: string | null; started: string | null }[]>(chosenIn, [channel, thread]);
  const [chosen, started] = await Promise.all(
    [row?.chosen, row?.started].map((name) => (name === null || name === undefined ? undefined : templateNamed(manager, name))),
  );
  return started ? inThread(chosen, started) : chosen;
}

/** A template that a channel has chosen. One that is gone leaves the channel without tools rather than with all of them. */
export async function templateNamed(manager: EntityManager, name: string): Promise<ChannelTemplate> {
  return (await newest(manager, name)) ?? { ...gone, name, title: name };
}

const gone: Omit<ChannelTemplate, "name" | "title"> = {
  instructions: "",
  tools: {},
  otherTools: "off",
  reply: "mention",
  suggestedPrompts: [],
};

interface Row {
  readonly name: string;
  readonly version: number;
  readonly content: ChannelTemplate;
}

const fromRow = ({ version, content }: Row): StoredTemplate => ({ ...content, version });

const newestNamed = prepared("SELECT name, version, content FROM templates WHERE name = $1 ORDER BY version DESC LIMIT 1");

const chosenIn = prepared(`
  SELECT (SELECT template FROM channel_templates WHERE channel_id = $1) AS chosen,
  (SELECT template FROM thread_templates WHERE channel_id = $1 AND thread_ts = $2) AS started`);
