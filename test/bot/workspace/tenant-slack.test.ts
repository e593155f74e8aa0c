import { expect, test } from "@jest/globals";
import type { Installation } from "../../../src/bot/workspace/installations.ts";
import { TenantSlackPool } from "../../../src/bot/workspace/tenant-slack.ts";
import type { Clock } from "../../../src/core/clock.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { personId, tenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import { createSafeFetch } from "../../../src/safe-fetch/safe-fetch.ts";

const tenant = tenantId("t1");
const installed = (token: string): Installation => ({
  tenant,
  teamId: "T1",
  botUserId: personId("UBOT"),
  token: new Secret(token),
});

/** A pool over one installation that can be changed, and a clock that can be moved. */
function poolOver(first: Installation | undefined) {
  const state = { installation: first, looked: 0, now: 0 };
  const clock: Clock = { ...systemClock, monotonic: () => state.now };
  const installationOf = async () => {
    state.looked++;
    return state.installation;
  };
  return { state, pool: new TenantSlackPool({ installationOf, fetch: createSafeFetch({ clock }), clock, log: silentLogger }) };
}

test("questions one after the other look the installation up once", async () => {
  const { state, pool } = poolOver(installed("xoxb-1"));
  const slack = await pool.load(tenant);
  expect(await pool.load(tenant)).toBe(slack);
  expect(state.looked).toBe(1);
});

test("a workspace that was suspended is refused half a minute later", async () => {
  const { state, pool } = poolOver(installed("xoxb-1"));
  await pool.load(tenant);
  state.installation = undefined;
  state.now = 30_000;
  await expect(pool.load(tenant)).rejects.toMatchObject({ code: "WORKSPACE_UNKNOWN" });
});

test("a token that was renewed here is used at once; the same one keeps its clients", async () => {
  const { state, pool } = poolOver(installed("xoxb-1"));
  const slack = await pool.load(tenant);
  pool.changed(tenant);
  expect(await pool.load(tenant)).toBe(slack);
  state.installation = installed("xoxb-2");
  pool.changed(tenant);
  expect(await pool.load(tenant)).not.toBe(slack);
});
