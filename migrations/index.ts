import { Tenants1764500000001 } from "./0001-tenants.ts";

/** Every migration in order. One change a file, never edited after it landed. */
export const migrations = [Tenants1764500000001];
