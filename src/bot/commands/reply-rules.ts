import { LRUCache } from "lru-cache";
import type { ReplyRule } from "../../agent/templates/template.ts";
import type { ChannelId, TenantId } from "../../core/ids.ts";
import type { TenantTemplates } from "./command-store.ts";

/** Every message of a channel asks for its rule; another process's change is seen this much later. */
const freshMs = 10_000;
const kept = 10_000;

/** Which messages of a channel are answered. Rejects when it cannot be known: then the message is not acknowledged. */
export class ReplyRules {
  readonly #templatesOf: (tenant: TenantId) => Pick<TenantTemplates, "inChannel">;
  readonly #known = new LRUCache<string, ReplyRule>({ max: kept, ttl: freshMs });

  constructor(templatesOf: (tenant: TenantId) => Pick<TenantTemplates, "inChannel">) {
    this.#templatesOf = templatesOf;
  }

  async of(tenant: TenantId, channel: ChannelId): Promise<ReplyRule> {
    const key = `${tenant} ${channel}`;
    const known = this.#known.get(key);
    if (known) return known;
    const rule = (await this.#templatesOf(tenant).inChannel(channel))?.reply ?? "thread";
    this.#known.set(key, rule);
    return rule;
  }

  /** After a change in one channel, or of a template that any channel may use. */
  forget(tenant: TenantId, channel?: ChannelId): void {
    if (channel) this.#known.delete(`${tenant} ${channel}`);
    else this.#known.clear();
  }
}
