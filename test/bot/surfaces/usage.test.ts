import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { View } from "@slack/types";
import type { Click } from "../../../src/bot/surfaces/click.ts";
import { readTokens } from "../../../src/bot/surfaces/usage/token-count.ts";
import { channelId, newId, traceId } from "../../../src/core/ids.ts";
import type { Person } from "../../../src/permissions/directory.ts";
import { TraceRepository } from "../../../src/store/repositories/traces.ts";
import { testDatabases } from "../../fakes/test-database.ts";
import { admin, Bench, hall, identities, member, owner } from "./surface-bench.ts";

describe.each(testDatabases)("usage and budgets on the %s database", (kind) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open(kind);
  });
  afterAll(() => bench.db.close());
  beforeEach(() => bench.reset());

  const answered = async (who: Person, tokens: number, channel: string = hall) => {
    await new TraceRepository(bench.db.database.forTenant(bench.tenant), bench.tenant).save({
      ...{ id: traceId(newId()), person: who.id, channel: channelId(channel), startedAt: new Date(), ms: 1, status: "answered" },
      ...{ inputTokens: tokens - 1, outputTokens: 1, entries: [] },
    });
  };
  const form = (who: Person): NonNullable<Click["view"]> => ({
    ...{ id: "V1", hash: "h", kind: "modal" },
    metadata: JSON.stringify({ person: who.id, sent: 0, language: "en" }),
  });
  const send = (who: Person, workspace: string, person: string) =>
    bench.submit(who, "budget_set", { view: form(who), entered: new Map(Object.entries({ workspace, person })) });
  const budgets = async () => (await bench.desk(bench.tenant)).usage.budgets();

  test("everybody sees their own, in numbers as they are written in their language", async () => {
    await answered(member, 12_000);
    await answered(admin, 500);
    const seen = await bench.click(member, "show_usage", {});
    expect(seen).toContain("1 answer, 12,000 tokens");
    expect(seen).not.toMatch(/12,500|Most by/);
    bench.people = identities.map((one) => (one.id === member.id ? { ...one, locale: "de-DE" } : one));
    expect(await bench.click(member, "show_usage", {})).toContain("12.000 Tokens");
  });

  test("an admin sees everybody's, where and by whom most was used, and what share of the budgets that is", async () => {
    await answered(member, 12_000);
    await answered(admin, 500, "C_OTHER");
    await answered(owner, 100, "DOWNER");
    await send(admin, "50k", "");
    const seen = await bench.click(admin, "show_usage", {});
    expect(seen).toContain("3 answers, 12,600 of 50,000 tokens (25 %)");
    expect(seen).toMatch(/<#C_HALL>: 12,000 tokens.*<#C_OTHER>: 500.*direct messages: 100/s);
    expect(seen).toMatch(/<@U_MEMBER>: 12,000 tokens.*<@U_ADMIN>: 500/s);
  });

  test.each(identities.map((who, at) => [who.name, "yynnnnn"[at] === "y", who] as const))(
    "sets budgets (budget_set), the %s: %s",
    async (_name, may, who) => {
      await send(who, "5M", "250,000");
      expect(await budgets()).toEqual(may ? { workspace: 5_000_000, person: 250_000 } : {});
    },
  );

  test("a form of somebody else, or one that is sent twice, changes nothing", async () => {
    await bench.submit(admin, "budget_set", { view: form(member), entered: new Map([["workspace", "5M"]]) });
    expect(await budgets()).toEqual({});
    const twice = { trigger: "the-same", view: form(admin) };
    await bench.submit(admin, "budget_set", { ...twice, entered: new Map([["workspace", "5M"]]) });
    await bench.submit(admin, "budget_set", { ...twice, entered: new Map([["workspace", "9M"]]) });
    expect(await budgets()).toEqual({ workspace: 5_000_000 });
  });

  test("an empty field takes the limit away; what is no number is said at the field, and nothing is stored", async () => {
    await send(admin, "5M", "250k");
    await send(admin, "", "250k");
    expect(await budgets()).toEqual({ person: 250_000 });
    const click = { tenant: bench.tenant, person: admin.id, action: "budget_set", value: "", trigger: newId(), view: form(admin) };
    const { answer } = bench.surface.submitted({ ...click, entered: new Map([["person", "a lot"]]) });
    expect(answer).toMatchObject({ response_action: "errors", errors: { "budget person 0": expect.stringContaining("at least 1,000") } });
    expect(await budgets()).toEqual({ person: 250_000 });
  });

  test("App Home shows the same, with the way to it", async () => {
    await answered(member, 12_000);
    await send(admin, "50k", "20k");
    const homeOf = async (who: Person): Promise<View> => {
      bench.surface.homeOpened(bench.tenant, who.id);
      await bench.surface.drained();
      return bench.shown.at(-1)?.view as View;
    };
    const own = JSON.stringify(await homeOf(member));
    expect(own).toContain("This month: 1 answer, 12,000 of 20,000 tokens (60 %)");
    expect(own).not.toContain("Usage this month");
    expect(JSON.stringify(await homeOf(admin))).toContain("*Usage this month*\\n1 answer, 12,000 of 50,000 tokens (24 %)");
  });

  test("what one workspace uses and allows is no other's business", async () => {
    await answered(member, 12_000);
    await send(admin, "50k", "");
    const elsewhere = (await bench.desk(bench.other)).usage;
    expect(await elsewhere.budgets()).toEqual({});
    expect(await elsewhere.ofPerson(member.id)).toEqual({ answers: 0, tokens: 0 });
    expect((await elsewhere.ofWorkspace(5)).total).toEqual({ answers: 0, tokens: 0 });
  });
});

test.each([
  ["5000000", 5_000_000],
  ["5,000,000", 5_000_000],
  ["5.000.000", 5_000_000],
  ["5 000 000", 5_000_000],
  ["250k", 250_000],
  ["2.5M", 2_500_000],
  ["0,25 m", 250_000],
  ["", undefined],
  ["  ", undefined],
  ["999", "wrong"],
  ["-5000", "wrong"],
  ["a lot", "wrong"],
  ["1e9", "wrong"],
  ["9".repeat(20), "wrong"],
  ["..", "wrong"],
])("%j is read as %j tokens", (typed, tokens) => expect(readTokens(typed)).toBe(tokens));
