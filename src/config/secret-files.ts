import { readFileSync } from "node:fs";
import { secretNames } from "./variables.ts";

/** Environment variables by name. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The environment with every NAME_FILE read into NAME. Adds to `mistakes`; empty variables other than secrets count as not set. */
export function withSecretFiles(env: Env, mistakes: string[]): Env {
  const given: Record<string, string | undefined> = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  for (const name of secretNames) {
    // An empty secret is a slip (an unset variable in a compose file), and an empty signing secret would sign for everybody.
    if (env[name] === "") mistakes.push(`${name} is set but empty: give it a value or remove it.`);
    const file = given[`${name}_FILE`];
    if (!file) continue;
    if (given[name]) mistakes.push(`${name} and ${name}_FILE are both set: remove one.`);
    try {
      const value = readFileSync(file, "utf8").trim();
      if (value === "") mistakes.push(`${name}_FILE names an empty file.`);
      given[name] = value;
    } catch {
      mistakes.push(`${name}_FILE cannot be read: check that the file exists and that this user may read it.`);
    }
  }
  return given;
}
