import { whyNotModel } from "../../agent/templates/check-template.ts";
import { readTemplate } from "../../agent/templates/read-template.ts";
import type { ChannelTemplate } from "../../agent/templates/template.ts";
import { templateDiff, writeTemplate } from "../../agent/templates/write-template.ts";
import { AppError } from "../../core/errors.ts";
import { type ChannelId, newId, type TenantId } from "../../core/ids.ts";
import type {
  AppliedTemplateReport,
  FlagReport,
  FlagRequest,
  FlagState,
  TemplateReport,
  UseTemplateReport,
  UseTemplateRequest,
} from "../../operations.ts";
import type { Directory } from "../../permissions/directory.ts";
import { closest } from "../../permissions/named-tools.ts";
import type { Tool } from "../../plugins/contract.ts";

/** What the audit log calls whoever runs commands in a terminal. */
const operator = "operator";

interface Stored extends ChannelTemplate {
  readonly version: number;
}

interface UseOnce {
  readonly key: string;
  readonly attempts: readonly {
    readonly actor: string;
    readonly action: "template-use";
    readonly subject: string;
    readonly channel: ChannelId;
  }[];
}

/** One tenant's templates and flags, as far as an operator changes them. */
export interface AssistantSettings {
  readonly templates: {
    list(): Promise<readonly Stored[]>;
    find(name: string): Promise<Stored | undefined>;
    apply(
      template: ChannelTemplate,
      actor: string,
    ): Promise<{ readonly version: number; readonly status: "added" | "changed" | "unchanged" }>;
  };
  readonly commands: {
    useTemplate(once: UseOnce, channel: ChannelId, name: string): Promise<"changed" | "unchanged" | "unknown" | "seen">;
  };
  /** Tools of external servers, as the workspace knows them: a template may keep one out that is not approved yet. */
  readonly externalTools: { list(): Promise<readonly { readonly name: string }[]> };
  readonly choices: { flag(flag: string, set: boolean, actor: string): Promise<readonly string[]>; flags(): Promise<readonly string[]> };
}

export interface AssistantParts {
  settings(tenant: TenantId): AssistantSettings;
  readonly tools: readonly Pick<Tool, "name" | "featureFlag">[];
  /** Models that a template may name. */
  readonly models: readonly string[];
  /** Told after another template holds in a channel, or a template has changed. */
  templateChanged(tenant: TenantId, channel?: ChannelId): void;
}

/** What an operator decides about a workspace's assistants: templates, and which features are released. Everything is audited. */
export class AssistantOperator {
  readonly #parts: AssistantParts;

  constructor(parts: AssistantParts) {
    this.#parts = parts;
  }

  async templates(tenant: TenantId): Promise<readonly TemplateReport[]> {
    return (await this.#parts.settings(tenant).templates.list()).map(reported);
  }

  /** @throws AppError TEMPLATE_INVALID with every mistake and its line */
  async apply(tenant: TenantId, yaml: string, check = false): Promise<AppliedTemplateReport> {
    const { models, tools } = this.#parts;
    const { templates, externalTools } = this.#parts.settings(tenant);
    const names = [...tools, ...(await externalTools.list())].map(({ name }) => name);
    const template = readTemplate(yaml, { models, tools: names });
    const before = await templates.find(template.name);
    const diff = templateDiff(before, template);
    if (check) {
      const status = !before ? "added" : diff.length > 0 ? "changed" : "unchanged";
      return { ...reported({ ...template, version: before?.version ?? 0 }), status, diff };
    }
    const { version, status } = await templates.apply(template, operator);
    this.#parts.templateChanged(tenant);
    return { ...reported({ ...template, version }), status, diff };
  }

  /** @throws AppError TEMPLATE_UNKNOWN */
  async export(tenant: TenantId, name: string): Promise<{ readonly version: number; readonly yaml: string }> {
    const { templates } = this.#parts.settings(tenant);
    const template = await templates.find(name);
    if (!template) throw new AppError("TEMPLATE_UNKNOWN", `There are: ${(await templates.list()).map((each) => each.name).join(", ")}.`);
    return { version: template.version, yaml: writeTemplate(template) };
  }

  /** @throws AppError TEMPLATE_UNKNOWN, TEMPLATE_REFUSED or CHANNEL_UNKNOWN */
  async use(tenant: TenantId, directory: Directory, { name, channel }: UseTemplateRequest): Promise<UseTemplateReport> {
    const { templates, commands } = this.#parts.settings(tenant);
    const template = await templates.find(name);
    if (!template) throw new AppError("TEMPLATE_UNKNOWN", `There are: ${(await templates.list()).map((each) => each.name).join(", ")}.`);
    const refused = template.model === undefined ? undefined : whyNotModel(template.model, this.#parts.models);
    if (refused) throw new AppError("TEMPLATE_REFUSED", refused);
    const place = await directory.findChannel(channel);
    if (!place) throw new AppError("CHANNEL_UNKNOWN");
    const attempts = [{ actor: operator, action: "template-use" as const, subject: name, channel: place.id }];
    const used = await commands.useTemplate({ key: `operator ${newId()}`, attempts }, place.id, name);
    if (used === "unknown" || used === "seen") throw new AppError("TEMPLATE_UNKNOWN");
    this.#parts.templateChanged(tenant, place.id);
    return { name, channel: place.name, status: used };
  }

  async flags(tenant: TenantId): Promise<readonly FlagState[]> {
    const set = await this.#parts.settings(tenant).choices.flags();
    return [...new Set([...this.#known, ...set])].sort().map((flag) => {
      const tools = this.#parts.tools.filter(({ featureFlag }) => featureFlag === flag).map(({ name }) => name);
      return { flag, set: set.includes(flag), tools };
    });
  }

  get #known(): readonly string[] {
    return [...new Set(this.#parts.tools.flatMap(({ featureFlag }) => featureFlag ?? []))].sort();
  }

  /** @throws AppError FLAG_UNKNOWN for a flag that no tool has; one that was set before can always be taken back */
  async flag(tenant: TenantId, { flag, set }: FlagRequest): Promise<FlagReport> {
    const known = this.#known;
    if (set && !known.includes(flag)) {
      const meant = closest(flag, known);
      throw new AppError("FLAG_UNKNOWN", meant ? `Did you mean ${meant}?` : `There are: ${known.join(", ") || "none"}.`);
    }
    return { flags: await this.#parts.settings(tenant).choices.flag(flag, set, operator) };
  }
}

const reported = ({ name, title, version, model, reply }: Stored): TemplateReport => ({
  name,
  title,
  version,
  model: model ?? null,
  reply,
});
