import type { Admission, ApiKey, ApiKeys, KeyAudience, NewApiKey } from "../../src/api/api-keys.ts";
import type { TenantId } from "../../src/core/ids.ts";

type Kept = ApiKey & { readonly secretHash: Buffer };

/** The keys of all tenants over arrays; the limits count every question that was ever asked. */
export function memoryKeys(): (tenant: TenantId) => MemoryKeys {
  const tenants = new Map<TenantId, MemoryKeys>();
  return (tenant) => {
    const keys = tenants.get(tenant) ?? new MemoryKeys();
    tenants.set(tenant, keys);
    return keys;
  };
}

export class MemoryKeys implements ApiKeys {
  #all: readonly Kept[] = [];
  admitted = 0;
  readonly running = new Set<string>();

  async add({ days: _, ...key }: NewApiKey): Promise<void> {
    this.#all = [{ ...key, createdAt: new Date("2026-11-30T12:00:00Z") }, ...this.#all];
  }

  list = async (): Promise<readonly ApiKey[]> => this.#all.map(({ secretHash: _, ...key }) => key);

  async revoke(id: string): Promise<boolean> {
    const found = this.#all.find((key) => key.id === id && !key.revokedAt);
    this.#all = this.#all.map((key) => (key.id === id ? { ...key, revokedAt: new Date("2026-11-30T13:00:00Z") } : key));
    return found !== undefined;
  }

  find = async (id: string, audience: KeyAudience) => this.#all.find((key) => key.id === id && key.audience === audience && !key.revokedAt);

  async admit(_: string, limits: { readonly perMinute: number; readonly atOnce: number }): Promise<Admission> {
    if (this.admitted >= limits.perMinute) return { admitted: false, retryAfterSeconds: 42 };
    if (this.running.size >= limits.atOnce) return { admitted: false, retryAfterSeconds: 5 };
    const use = `use-${++this.admitted}`;
    this.running.add(use);
    return { admitted: true, use };
  }

  renew = async (): Promise<void> => undefined;
  finish = async (use: string): Promise<void> => void this.running.delete(use);
}
