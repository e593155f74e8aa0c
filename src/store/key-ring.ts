import { randomBytes } from "node:crypto";
import { link, open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { AppError } from "../core/errors.ts";
import type { Secret } from "../core/secret.ts";
import { makeDataFolder } from "./data-folder.ts";

/** The keys that seal tokens. To rotate: add a key, make it active, re-wrap, then remove the old one. */
export interface KeyRing {
  readonly active: string;
  /** 32 bytes each, by key id. */
  readonly keys: ReadonlyMap<string, Buffer>;
}

const KEY_BYTES = 32;
/** No dots: the id is one part of a sealed value. */
const keyId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);
const ringForm = z
  .object({
    active: keyId,
    keys: z.record(
      keyId,
      z.base64().transform((text) => Buffer.from(text, "base64")),
    ),
  })
  .refine(({ active, keys }) => active in keys && Object.values(keys).every((key) => key.length === KEY_BYTES));

/** Reads `{"active": "2026", "keys": {"2026": "<32 bytes in base64>"}}`. Throws CONFIG_INVALID. */
export function parseKeyRing(json: string, origin = "FOOTNOTE_SECRET_KEYS"): KeyRing {
  let raw: unknown;
  try {
    raw = JSON.parse(json);
  } catch {
    raw = undefined;
  }
  const { data } = ringForm.safeParse(raw);
  if (!data) throw new AppError("CONFIG_INVALID", `${origin} must be {"active": "<id>", "keys": {"<id>": "<32 bytes in base64>"}}.`);
  return { active: data.active, keys: new Map(Object.entries(data.keys)) };
}

/** The configured ring, or else the one in `<home>/secret-keys.json`, which is made on the first start, readable by its owner alone. */
export async function loadKeyRing(configured: Secret | undefined, home: string): Promise<KeyRing> {
  if (configured) return parseKeyRing(configured.reveal());
  const path = join(home, "secret-keys.json");
  await makeDataFolder(home);
  if (!(await stat(path).catch(() => undefined))) await createKeyFile(path);
  if ((await stat(path)).mode & 0o077) throw new AppError("CONFIG_INVALID", `Others can read ${path}. Run: chmod 600 ${path}`);
  return parseKeyRing(await readFile(path, "utf8"), path);
}

/** Written whole and on disk before it gets its name; when two processes start at once, both use the first one's. */
async function createKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    // An id of its own, so that a token sealed with another folder's ring is told apart from a forged one.
    const id = randomBytes(4).toString("hex");
    await file.writeFile(`${JSON.stringify({ active: id, keys: { [id]: randomBytes(KEY_BYTES).toString("base64") } })}\n`);
    await file.sync();
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}
