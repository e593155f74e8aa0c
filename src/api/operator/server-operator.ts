import { AppError } from "../../core/errors.ts";
import { newId, type TenantId } from "../../core/ids.ts";
import { lineDiff } from "../../core/line-diff.ts";
import type { AppliedServerReport, ApplyServersRequest, OwnServerReport } from "../../operations/servers.ts";
import { readServerFile, writeServer } from "../../plugins/server-file.ts";
import type { ServerDesk, ServerEntry, StoredServer } from "../../plugins/workspace-servers.ts";

/** What the audit log calls whoever runs commands in a terminal. */
const operator = "operator";

const refusals = {
  "name-taken": "the operator's own list has a server of that name or title.",
  "too-many": "the workspace has as many servers of its own as it may have.",
  "no-secret": "its header needs a value: there is none yet, or it was given for another host or header.",
  seen: "it was handled before.",
} satisfies Partial<Record<StoredServer | "name-taken", string>>;

/** What an operator does about a workspace's own external servers: the same as its admins, with the same rules. Everything is audited. */
export class ServerOperator {
  /** Undefined where workspaces have no servers of their own. */
  readonly #deskOf: (tenant: TenantId) => ServerDesk | undefined;

  constructor(deskOf: (tenant: TenantId) => ServerDesk | undefined) {
    this.#deskOf = deskOf;
  }

  async list(tenant: TenantId): Promise<readonly OwnServerReport[]> {
    const servers = (await this.#deskOf(tenant)?.list()) ?? [];
    return servers.map(({ name, title, url, access, shadowed }) => ({
      ...{ name, title, url, access: access.kind },
      problem: shadowed
        ? "The operator's list has a server of that name, which counts."
        : access.kind === "header" && !access.secret
          ? "Its header has no value any more: give it anew."
          : null,
      yaml: writeServer({ name, title, url, access }),
    }));
  }

  /** @throws AppError SERVERS_INVALID, SERVER_REFUSED; what was stored before a refusal stays */
  async apply(tenant: TenantId, { yaml, check = false }: Omit<ApplyServersRequest, "workspace">): Promise<readonly AppliedServerReport[]> {
    const desk = this.#desk(tenant);
    const entries = readServerFile(yaml, desk.origins);
    const before = await desk.list();
    const reports: AppliedServerReport[] = [];
    for (const entry of entries) {
      const known = before.find(({ name }) => name === entry.name);
      const diff = lineDiff(
        known ? linesOf(known) : [],
        linesOf(entry, entry.access.kind === "header" && entry.access.secret !== undefined),
      );
      const status = check ? (!known ? "added" : diff.length > 0 ? "changed" : "unchanged") : await this.#save(desk, entry);
      reports.push({ name: entry.name, status, diff: status === "unchanged" ? [] : diff });
    }
    return reports;
  }

  /** @throws AppError MCP_SERVER_UNKNOWN */
  async remove(tenant: TenantId, name: string): Promise<void> {
    const removed = await this.#desk(tenant).remove(name, { key: `operator ${newId()}`, actor: operator });
    if (removed !== "removed") throw new AppError("MCP_SERVER_UNKNOWN");
  }

  async #save(desk: ServerDesk, entry: ServerEntry): Promise<AppliedServerReport["status"]> {
    const outcome = await desk.save(entry, { key: `operator ${newId()}`, actor: operator });
    if (outcome in refusals) throw new AppError("SERVER_REFUSED", `${entry.name}: ${refusals[outcome as keyof typeof refusals]}`);
    return outcome as AppliedServerReport["status"];
  }

  #desk(tenant: TenantId): ServerDesk {
    const desk = this.#deskOf(tenant);
    if (!desk) throw new AppError("SERVER_REFUSED", "FOOTNOTE_WORKSPACE_MCP_SERVERS is 0.");
    return desk;
  }
}

const linesOf = (entry: ServerEntry, newSecret = false): readonly string[] => [
  ...writeServer(entry).trimEnd().split("\n"),
  ...(newSecret ? ["    (with a new value for its header)"] : []),
];
