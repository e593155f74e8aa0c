import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { newId, type PersonId, type TenantId, tenantId } from "../core/ids.ts";
import { Secret } from "../core/secret.ts";

/** What a key may be used for: questions over HTTP, or calls of tools over MCP. Worth nothing at the other door. */
export type KeyAudience = "api" | "mcp";

/** A key as its owner's workspace remembers it. The secret itself is nowhere. */
export interface ApiKey {
  readonly id: string;
  readonly person: PersonId;
  /** What it is for, e.g. "laptop". */
  readonly name: string;
  readonly audience: KeyAudience;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly lastUsedAt?: Date;
  readonly revokedAt?: Date;
}

/** How often a key may be used. */
export interface KeyLimits {
  /** Questions within any 60 seconds. */
  readonly perMinute: number;
  /** Questions being answered at the same moment, over all processes. */
  readonly atOnce: number;
}

/** Whether a question is let in. `use` must be renewed within its lease while the answer is made, and finished at its end. */
export type Admission =
  | { readonly admitted: true; readonly use: string }
  | { readonly admitted: false; readonly retryAfterSeconds: number };

/** A key to be kept. */
export interface NewApiKey {
  readonly id: string;
  readonly person: PersonId;
  readonly name: string;
  readonly secretHash: Buffer;
  readonly audience: KeyAudience;
  /** Until when it is worth something; for ever without it. */
  readonly days?: number;
}

/** The keys of one tenant. */
export interface ApiKeys {
  add(key: NewApiKey): Promise<void>;
  /** All of them, revoked ones too, newest first. */
  list(): Promise<readonly ApiKey[]>;
  /** False when there is no such key, or it was revoked before. */
  revoke(id: string): Promise<boolean>;
  /** Undefined for unknown, revoked and expired keys, and for those of another audience, alike. */
  find(id: string, audience: KeyAudience): Promise<{ readonly person: PersonId; readonly secretHash: Buffer } | undefined>;
  /** Counts and lets in, in one step over all processes. A refusal is not counted. */
  admit(id: string, limits: KeyLimits, leaseMs: number): Promise<Admission>;
  renew(use: string, leaseMs: number): Promise<void>;
  finish(use: string): Promise<void>;
}

const SECRET_BYTES = 32;
const ID_BYTES = 16;
/** `fnk_<tenant and key id>.<secret>`, base64url: recognisable to secret scanners, and the ids say in whose table to look. */
const form = /^fnk_([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{43})$/;

/** A new key: `text` is shown once, `secretHash` is kept. The secret is random, so a plain hash cannot be guessed back. */
export function makeKey(tenant: TenantId): { readonly id: string; readonly text: Secret; readonly secretHash: Buffer } {
  const id = newId();
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const ids = Buffer.concat([uuidBytes(tenant), uuidBytes(id)]).toString("base64url");
  return { id, text: new Secret(`fnk_${ids}.${secret}`), secretHash: hashOf(secret) };
}

/** Whom a key stands for. */
export interface KeyHolder {
  readonly tenant: TenantId;
  readonly person: PersonId;
  /** The key's own id. */
  readonly id: string;
}

/** Who a key belongs to; undefined for keys that are malformed, unknown, revoked, expired, for another door, of another workspace or simply wrong. */
export async function keyHolder(
  text: string,
  keysOf: (tenant: TenantId) => ApiKeys,
  audience: KeyAudience,
): Promise<KeyHolder | undefined> {
  const [, ids, secret] = form.exec(text) ?? [];
  if (!ids || !secret) return undefined;
  const bytes = Buffer.from(ids, "base64url");
  const [tenant, id] = [tenantId(uuidText(bytes.subarray(0, ID_BYTES))), uuidText(bytes.subarray(ID_BYTES))];
  const found = await keysOf(tenant).find(id, audience);
  // Compared also when there is no such key, so that the time taken does not tell which ids exist.
  const same = timingSafeEqual(hashOf(secret), found?.secretHash ?? nobody);
  return found && same ? { tenant, person: found.person, id } : undefined;
}

const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();
const nobody = Buffer.alloc(32);

const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll("-", ""), "hex");
const uuidText = (bytes: Buffer): string => bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
