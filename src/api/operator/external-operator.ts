import type { AppError } from "../../core/errors.ts";
import type { TenantId } from "../../core/ids.ts";
import { definitionText } from "../../plugins/definition-text.ts";
import type { ExternalDecision, ExternalReport, ExternalToolReport } from "../../plugins/external-report.ts";
import { isForm, type KnownTool, shownFingerprint, type ToolApprovals } from "../../plugins/external-tools.ts";

/** What the audit log calls whoever runs commands in a terminal. */
const operator = "operator";

export interface ExternalParts {
  approvals(tenant: TenantId): ToolApprovals;
  /** Asks a workspace's servers what they offer now: by server, the tools left out with the reasons, or what is wrong. */
  look(tenant: TenantId): Promise<ReadonlyMap<string, { readonly leftOut: ExternalReport["servers"][number]["leftOut"] } | AppError>>;
}

/** What an operator decides about the tools of external servers. Everything is audited. */
export class ExternalOperator {
  readonly #parts: ExternalParts;

  constructor(parts: ExternalParts) {
    this.#parts = parts;
  }

  async list(tenant: TenantId): Promise<ExternalReport> {
    const looked = await this.#parts.look(tenant);
    const known = await this.#parts.approvals(tenant).list();
    const servers = [...looked].map(([name, found]) => ({
      name,
      problem: "leftOut" in found ? null : found.message,
      leftOut: "leftOut" in found ? found.leftOut : [],
    }));
    return { servers, tools: known.filter(({ server }) => looked.has(server)).map(reported) };
  }

  async decide(tenant: TenantId, { tools, approve, effect }: ExternalDecision): Promise<readonly string[]> {
    const approvals = this.#parts.approvals(tenant);
    if (!approve) return approvals.revoke(Object.keys(tools), operator);
    const known = await approvals.list();
    const shown = known.flatMap(({ name, fingerprint }): [string, string][] => {
      const looked = tools[name];
      return looked && isForm(looked, fingerprint) ? [[name, fingerprint]] : [];
    });
    return approvals.approve(new Map(shown), effect, operator);
  }
}

const reported = ({ name, server, status, effect, fingerprint, ...tool }: KnownTool): ExternalToolReport => ({
  ...{ name, server, status, effect: effect ?? null },
  fingerprint: shownFingerprint(fingerprint),
  text: definitionText({ status, ...tool }),
});
