import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { AppError } from "../core/errors.ts";
import type { TenantId } from "../core/ids.ts";
import { Secret } from "../core/secret.ts";
import type { KeyRing } from "./key-ring.ts";

/** Where a sealed value lives. It is bound into the value, which therefore opens in no other row, column or tenant. */
export interface SealedPlace {
  readonly tenant: TenantId;
  readonly table: string;
  readonly column: string;
  /** Primary key of the row within the tenant. */
  readonly row: string;
}

const ALGORITHM = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1";

/**
 * Seals tokens before they are stored: AES-256-GCM under a random nonce. The form is `v1.<key id>.<nonce>.<tag>.<data>`, base64url,
 * so equal secrets never look equal. New values take the ring's active key; old ones open with theirs as long as the ring has it.
 */
export class Sealing {
  readonly #ring: KeyRing;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /** Id of the key that new values are sealed with. */
  get activeKey(): string {
    return this.#ring.active;
  }

  seal(secret: Secret, place: SealedPlace): string {
    const id = this.#ring.active;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key(id), nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associated(id, place));
    const data = Buffer.concat([cipher.update(secret.reveal(), "utf8"), cipher.final()]);
    return [VERSION, id, ...[nonce, cipher.getAuthTag(), data].map((part) => part.toString("base64url"))].join(".");
  }

  /** Throws SECRET_UNREADABLE when the value was changed, moved here from elsewhere, or sealed with a key the ring lacks. */
  open(sealed: string, place: SealedPlace): Secret {
    const [version, id, nonce, tag, data, ...rest] = sealed.split(".");
    if (version !== VERSION || !id || !nonce || !tag || data === undefined || rest.length > 0) throw new AppError("SECRET_UNREADABLE");
    const key = this.#key(id);
    try {
      const decipher = createDecipheriv(ALGORITHM, key, Buffer.from(nonce, "base64url"), { authTagLength: TAG_BYTES });
      decipher.setAAD(associated(id, place));
      decipher.setAuthTag(Buffer.from(tag, "base64url"));
      return new Secret(Buffer.concat([decipher.update(Buffer.from(data, "base64url")), decipher.final()]).toString("utf8"));
    } catch {
      throw new AppError("SECRET_UNREADABLE");
    }
  }

  /** The same secret under the active key, or undefined when it already is. */
  rewrap(sealed: string, place: SealedPlace): string | undefined {
    if (sealed.split(".")[1] === this.#ring.active) return undefined;
    return this.seal(this.open(sealed, place), place);
  }

  #key(id: string): Buffer {
    const key = this.#ring.keys.get(id);
    if (!key) throw new AppError("SECRET_UNREADABLE", `The key "${id}" is not in the key ring.`);
    return key;
  }
}

/** As JSON, so that no two places can run into one another. */
const associated = (keyId: string, { tenant, table, column, row }: SealedPlace): Buffer =>
  Buffer.from(JSON.stringify([VERSION, keyId, tenant, table, column, row]));
