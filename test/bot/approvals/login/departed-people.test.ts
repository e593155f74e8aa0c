import { expect, test } from "@jest/globals";
import { DepartedPeople } from "../../../../src/bot/approvals/login/departed-people.ts";
import type { PersonId, TenantId } from "../../../../src/core/ids.ts";
import { silentLogger } from "../../../../src/core/logger.ts";
import { person } from "../../../fakes/people.ts";
import { acme, globex } from "../../../fakes/tool-context.ts";
import { ManualClock } from "../../../playground/manual-clock.ts";

const [alice, gone, stranger] = [person("alice"), person("gone", { deactivated: true }), person("stranger", { role: "outsider" })];

function setup(broken?: TenantId) {
  const ended: (readonly [TenantId, PersonId])[] = [];
  const departed = new DepartedPeople({
    tenants: async () => [acme, globex],
    peopleOf: async () => [alice.id, gone.id, stranger.id, person("unknown").id],
    directoryOf: async (tenant) => {
      if (tenant === broken) throw new Error("Slack is away");
      return { person: async (id) => [alice, gone, stranger].find((each) => each.id === id) };
    },
    logOut: async (tenant, id) => void ended.push([tenant, id]),
    clock: new ManualClock(),
    log: silentLogger,
  });
  return { departed, ended };
}

test("log-ins of closed accounts and of people who have become outsiders end; those of colleagues, and of whom Slack says nothing, stay", async () => {
  const { departed, ended } = setup();
  await departed.sweepNow();
  expect(ended).toEqual([acme, globex].flatMap((tenant) => [gone, stranger].map(({ id }) => [tenant, id])));
});

test("a workspace that cannot be asked keeps its log-ins until the next time, and holds up no other", async () => {
  const { departed, ended } = setup(acme);
  await departed.sweepNow();
  expect(ended.map(([tenant]) => tenant)).toEqual([globex, globex]);
});

test("it ends when it is told to", async () => {
  const { departed, ended } = setup();
  departed.start();
  await departed.stop();
  await departed.stop();
  expect(ended.length).toBeLessThanOrEqual(4);
});
