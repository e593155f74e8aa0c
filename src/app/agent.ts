import { AgentClient, type AgentParts } from "../agent/client.ts";
import { defaultLimits } from "../agent/limits.ts";
import type { Models } from "../agent/model/configured.ts";
import { Trials } from "../agent/templates/trial.ts";
import { ToolAccess } from "../agent/tools/tool-access.ts";
import { ThreadMemory } from "../bot/turns/thread-memory.ts";
import type { Config } from "../config.ts";
import type { Ground } from "./ground.ts";

/** What answers questions. */
export interface Answering {
  readonly agent: AgentClient;
  /** The same for templates that are only tried out. */
  readonly trials: Trials;
}

/** The one door to an answer, over this program's tools, models and stored choices. */
export const createAgent = (ground: Ground, models: Models): AgentClient => new AgentClient(agentParts(ground, models));

/** The same for templates that are only tried out. */
export const createTrials = (ground: Ground, models: Models): Trials => new Trials(agentParts(ground, models));

/** Single calls of the same tools, without a model. */
export const createToolAccess = (ground: Ground, models: Models): ToolAccess => new ToolAccess(agentParts(ground, models));

function agentParts({ config, registry, approvals, logins, external, store, pool, links, clock, log }: Ground, models: Models): AgentParts {
  return {
    registry,
    model: () => models.usual,
    namedModel: models.named,
    clock,
    log,
    limits: limitsFor(config),
    forTenant: (tenant) => {
      const { choices, templates, threads, summaries, traces, spending } = store.forTenant(tenant);
      const { directory, bot } = pool.loaded(tenant);
      const memory = new ThreadMemory(threads, directory, bot);
      return {
        directory,
        choices,
        templates,
        threads: memory,
        summaries,
        traces,
        spending,
        links: links.forTenant(tenant),
        approvals: approvals.forTenant(tenant),
        ...(logins && { logins: logins.desk.forTenant(tenant) }),
        ...(external && { external: { tools: () => external.tools(tenant) } }),
      };
    },
  };
}

function limitsFor({ limits }: Config) {
  const { steps, toolCalls, parallelTools, answerMs, inputTokens, outputTokens } = limits;
  return { ...defaultLimits, steps, calls: toolCalls, parallel: parallelTools, wallMs: answerMs, inputTokens, outputTokens };
}
