import { codeOf } from "../../core/errors.ts";
import type { TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Directory, Person } from "../../permissions/directory.ts";
import { plainMrkdwn } from "../out/mrkdwn.ts";
import type { SlackWriter } from "../out/slack-writer.ts";
import { section } from "../surfaces/blocks.ts";
import { wordsFor } from "../words/catalogue.ts";

/** Admins who are written to, and tools that are named to them: `/footnote mcp` lists all. */
const MOST_ADMINS = 20;
const MOST_NAMED = 10;

export interface ToolNewsParts {
  slackOf(tenant: TenantId): Promise<{
    readonly writer: Pick<SlackWriter, "post">;
    readonly directory: Pick<Directory, "directMessage"> & { admins(): Promise<readonly Person[]> };
  }>;
  readonly log: Logger;
}

/** Writes to a workspace's admins when a server offers tools that nobody has looked at, or has changed some. */
export class ToolNews {
  readonly #parts: ToolNewsParts;
  readonly #open = new Set<Promise<void>>();

  constructor(parts: ToolNewsParts) {
    this.#parts = parts;
  }

  /** Begins and returns at once. @param tools by our names */
  tell(tenant: TenantId, server: string, tools: readonly string[]): void {
    const told: Promise<void> = this.#tell(tenant, server, tools)
      .catch((thrown: unknown) => this.#parts.log.warn("Admins could not be told of a server's tools.", { tenant, code: codeOf(thrown) }))
      .finally(() => this.#open.delete(told));
    this.#open.add(told);
  }

  /** Resolves when everybody is told. */
  async drained(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled([...this.#open]);
  }

  async #tell(tenant: TenantId, server: string, tools: readonly string[]): Promise<void> {
    const { writer, directory } = await this.#parts.slackOf(tenant);
    const named = tools.slice(0, MOST_NAMED).map((name) => `\`${plainMrkdwn(name)}\``);
    for (const { id, locale } of (await directory.admins()).slice(0, MOST_ADMINS)) {
      const words = wordsFor(locale).approvals.external;
      const text = words.waiting(plainMrkdwn(server), named.join(", "), tools.length - named.length);
      await writer.post(await directory.directMessage(id), undefined, () => ({ text, blocks: [section(text)] }));
    }
  }
}
