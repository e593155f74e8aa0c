import type { WebClient } from "@slack/web-api";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../core/clock.ts";
import { AppError } from "../../core/errors.ts";
import type { PersonId, TenantId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { SafeFetch } from "../../safe-fetch/port.ts";
import { SlackFiles } from "../documents/slack-file.ts";
import { SlackAgentView } from "../out/slack-agent-view.ts";
import { SlackViews } from "../out/slack-views.ts";
import { SlackWriter } from "../out/slack-writer.ts";
import { WorkspaceBudget } from "../out/workspace-budget.ts";
import type { Installation } from "./installations.ts";
import { saysTokenIsDead } from "./refused-tokens.ts";
import { slackClient } from "./slack-clients.ts";
import { SlackDirectory } from "./slack-directory.ts";
import { SlackReader } from "./slack-reader.ts";

/** One workspace's Slack: everything here is bound to its token. */
export interface TenantSlack {
  readonly bot: PersonId;
  /** The workspace as Slack numbers it. */
  readonly teamId: string;
  readonly client: WebClient;
  readonly directory: SlackDirectory;
  readonly reader: SlackReader;
  readonly files: SlackFiles;
  readonly writer: SlackWriter;
  readonly views: SlackViews;
  readonly agentView: SlackAgentView;
}

export interface TenantSlackParts {
  /** The tenant's installation; undefined when it has none or is suspended. */
  readonly installationOf: (tenant: TenantId) => Promise<Installation | undefined>;
  /** Slack answered that the installation's token is worth nothing. */
  readonly refused?: (installation: Installation) => void;
  readonly apiUrl?: string | undefined;
  /** Fetches files; open to the origin of `apiUrl`, where that is not Slack itself. */
  readonly fetch: SafeFetch;
  /** How many times Slack's documented rate limits may be used. */
  readonly limitsFactor?: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How long an installation is taken to be as it was: a suspended workspace, or a token renewed by another process, is noticed then. */
const freshMs = 30_000;
/** Workspaces whose clients are kept; others are made again when they are needed. */
const kept = 1_000;

/**
 * The clients of all workspaces, one set each, so that a workspace's answers share one budget. A new token (reinstalled, rotated)
 * replaces the set.
 */
export class TenantSlackPool {
  readonly #parts: TenantSlackParts;
  readonly #open = new LRUCache<
    TenantId,
    { readonly token: string; readonly organisation: TenantId | undefined; readonly slack: TenantSlack; readonly freshUntil: number }
  >({
    max: kept,
  });

  constructor(parts: TenantSlackParts) {
    this.#parts = parts;
  }

  /** @throws AppError WORKSPACE_UNKNOWN when the workspace has no usable installation */
  async load(tenant: TenantId): Promise<TenantSlack> {
    const { clock, installationOf } = this.#parts;
    const open = this.#open.get(tenant);
    if (open && clock.monotonic() < open.freshUntil) return open.slack;
    const freshUntil = clock.monotonic() + freshMs;
    const installation = await installationOf(tenant);
    if (!installation) throw new AppError("WORKSPACE_UNKNOWN", "It has no usable bot token.");
    const token = installation.token.reveal();
    const slack = open?.token === token ? open.slack : this.#connect(installation);
    this.#open.set(tenant, { token, organisation: installation.organisation, slack, freshUntil });
    return slack;
  }

  /** The installation of a workspace, or of the organisation that several have in common, has changed: the next `load` looks at it again. */
  changed(tenant: TenantId): void {
    for (const [id, open] of [...this.#open.entries()])
      if (id === tenant || open.organisation === tenant) this.#open.set(id, { ...open, freshUntil: 0 });
  }

  /** The installation has ended: its token is not kept any longer. */
  forget(tenant: TenantId): void {
    this.#open.delete(tenant);
  }

  /** What `load` gave before, for callers that cannot wait. */
  loaded(tenant: TenantId): TenantSlack {
    const open = this.#open.get(tenant);
    if (!open) throw new AppError("WORKSPACE_UNKNOWN", "Its connection to Slack is not open.");
    return open.slack;
  }

  #connect(installation: Installation): TenantSlack {
    const { tenant, teamId, botUserId, token, organisation } = installation;
    const { clock, apiUrl, limitsFactor, refused } = this.#parts;
    const log = this.#parts.log.with({ tenant });
    const onFailure = (thrown: unknown) => {
      if (saysTokenIsDead(thrown)) refused?.(installation);
    };
    const client = slackClient(token, log, apiUrl, { teamId: organisation && teamId, onFailure });
    const reader = new SlackReader(client, clock);
    return {
      files: new SlackFiles({ tenant, slack: reader, token, fetch: this.#parts.fetch, apiUrl }),
      bot: botUserId,
      teamId,
      client,
      directory: new SlackDirectory(client, { teamId, clock, log }),
      reader,
      views: new SlackViews(client),
      agentView: new SlackAgentView(client),
      writer: new SlackWriter(client, new WorkspaceBudget(clock, limitsFactor), clock, log),
    };
  }
}
