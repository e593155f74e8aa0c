import type { Clock } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { Secret } from "../../core/secret.ts";
import { FallbackModel } from "./fallback-model.ts";
import type { Model } from "./model.ts";
import { OfflineAnswerer } from "./offline.ts";
import { OpenAIModel } from "./openai.ts";

/** One model behind an OpenAI-compatible endpoint. */
interface Endpoint {
  readonly name: string;
  readonly apiKey?: Secret;
  /** OpenAI's own when absent. */
  readonly baseUrl?: string;
}

/** The models an operator has configured. */
export interface ModelSettings extends Endpoint {
  readonly contextTokens: number;
  /** Other models of the same endpoint that channel templates may name. */
  readonly others: readonly string[];
  readonly fallback?: Endpoint;
}

/** The models of this process, each made once, so that what it learns of its server is kept. */
export interface Models {
  readonly usual: Model;
  /** Names that a template may use. */
  readonly names: readonly string[];
  /** Undefined for a name that is not allowed. */
  named(name: string): Model | undefined;
}

const openAi = "https://api.openai.com/v1";

/** Without settings the built-in offline answerer answers, and no other model can be named. */
export function configuredModels(settings: ModelSettings | undefined, clock: Clock, log: Logger): Models {
  if (!settings) return { usual: new OfflineAnswerer(), names: [], named: () => undefined };
  const { contextTokens, fallback, others, name: usual } = settings;
  const at = ({ name, apiKey, baseUrl = openAi }: Endpoint) =>
    new OpenAIModel({ baseURL: baseUrl, model: name, clock, contextTokens, ...(apiKey && { apiKey }) });
  const make = (name: string) => {
    const first = at({ ...settings, name });
    return fallback ? new FallbackModel(first, at(fallback), log) : first;
  };
  const models = new Map([usual, ...others].map((name) => [name, make(name)] as const));
  return { usual: models.get(usual) ?? make(usual), names: [...models.keys()], named: (name) => models.get(name) };
}
