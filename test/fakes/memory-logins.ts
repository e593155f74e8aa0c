import { type PersonId, personId, type TenantId } from "../../src/core/ids.ts";
import type { Secret } from "../../src/core/secret.ts";
import type { LoginAttempt, Logins } from "../../src/plugins/logins.ts";

/** One tenant's log-ins over maps. Nothing expires. */
export class MemoryLogins implements Logins {
  readonly kept = new Map<string, Secret>();
  readonly attempts = new Map<string, LoginAttempt>();
  readonly #holders = new Map<string, string>();

  find = async (server: string, person: PersonId) => this.kept.get(`${server} ${person}`);
  save = async (server: string, person: PersonId, secret: Secret) => {
    this.#holders.delete(`${server} ${person}`);
    this.kept.set(`${server} ${person}`, secret);
  };
  saveHeld = async (server: string, person: PersonId, secret: Secret, holder: string) => {
    if (this.#holders.get(`${server} ${person}`) !== holder) return false;
    this.kept.set(`${server} ${person}`, secret);
    return true;
  };
  remove = async (server: string, person: PersonId) => {
    this.#holders.delete(`${server} ${person}`);
    for (const [hash, attempt] of this.attempts) if (attempt.server === server && attempt.person === person) this.attempts.delete(hash);
    return this.kept.delete(`${server} ${person}`);
  };
  removeAll = async (person?: PersonId) => {
    for (const key of this.kept.keys()) if (person === undefined || key.endsWith(` ${person}`)) this.kept.delete(key);
    for (const [hash, attempt] of this.attempts) if (person === undefined || attempt.person === person) this.attempts.delete(hash);
  };
  serversOf = async (person: PersonId) =>
    [...this.kept.keys()].filter((key) => key.endsWith(` ${person}`)).map((key) => key.split(" ")[0] ?? "");

  people = async () => [...new Set([...this.kept.keys()].map((key) => personId(key.split(" ")[1] ?? "")))];

  async claimRenewal(server: string, person: PersonId, holder: string, _leaseMs?: number): Promise<boolean> {
    const key = `${server} ${person}`;
    if (this.#holders.has(key) || !this.kept.has(key)) return false;
    this.#holders.set(key, holder);
    return true;
  }

  async releaseRenewal(server: string, person: PersonId, holder: string): Promise<void> {
    const key = `${server} ${person}`;
    if (this.#holders.get(key) === holder) this.#holders.delete(key);
  }

  begin = async (attempt: LoginAttempt) => void this.attempts.set(attempt.hash.toString("hex"), attempt);

  look = async (hash: Buffer) => this.attempts.get(hash.toString("hex"));

  async redeem(hash: Buffer) {
    const found = this.attempts.get(hash.toString("hex"));
    this.attempts.delete(hash.toString("hex"));
    return found;
  }
}

/** The log-ins of all tenants. */
export function memoryLogins(): (tenant: TenantId) => MemoryLogins {
  const tenants = new Map<TenantId, MemoryLogins>();
  return (tenant) => {
    const logins = tenants.get(tenant) ?? new MemoryLogins();
    tenants.set(tenant, logins);
    return logins;
  };
}
