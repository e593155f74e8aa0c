import { systemClock } from "../../src/core/clock.ts";
import { personId, tenantId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import type { Principal } from "../../src/core/principal.ts";
import { audienceOf } from "../../src/permissions/audience.ts";
import type { ToolContext } from "../../src/plugins/contract.ts";

export const acme = tenantId("0aaaaaaa-0000-4000-8000-000000000001");
export const globex = tenantId("0bbbbbbb-0000-4000-8000-000000000002");

/** The context of one call in acme, for readers with the given grants. */
export const contextFor = (grants: readonly Principal[], changes: Partial<ToolContext> = {}): ToolContext => ({
  tenant: acme,
  person: personId("U_BOB"),
  audience: audienceOf(grants),
  settings: {},
  clock: systemClock,
  log: silentLogger,
  signal: new AbortController().signal,
  progress: () => undefined,
  ...changes,
});
