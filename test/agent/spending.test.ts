import type { BudgetScope, MonthBudgets, Spending } from "../../src/agent/spending.ts";
import type { ChannelTemplate } from "../../src/agent/templates/template.ts";
import { call, calls, ScriptedModel, says } from "../fakes/scripted-model.ts";
import { agent, finds, source } from "./setup.ts";

const template: ChannelTemplate = {
  ...{ name: "t", title: "T", instructions: "", tools: {}, otherTools: "on", reply: "thread", suggestedPrompts: [] },
};
const spending = (budgets: MonthBudgets, spent: Partial<Record<BudgetScope, number>>): Spending => ({
  budgets: async () => budgets,
  spent: async () => ({ workspace: 0, channel: 0, person: 0, ...spent }),
});
const asked = async (port: Spending, own: Partial<ChannelTemplate> = {}, tools = [finds("query_documents", source("a"))]) => {
  const model = new ScriptedModel(calls(call("query_documents")), says("From the model [1]."));
  const ports = { spending: port, templates: { inChannel: async () => ({ ...template, ...own }) } };
  const { ask, events } = agent({ model, tools, ports });
  const answer = await ask();
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.text] : []));
  return {
    answer,
    notices,
    calls: model.requests.length,
    styles: events.flatMap((event) => (event.type === "sources-ready" ? [event.style] : [])),
  };
};

test.each([
  ["the workspace's", spending({ workspace: 1_000 }, { workspace: 1_000 }), {}, /This workspace's budget/],
  ["each person's", spending({ workspace: 9_000, person: 1_000 }, { workspace: 1_000, person: 1_200 }), {}, /Your budget/],
  ["the channel's", spending({}, { channel: 5_000 }), { budget: { monthTokens: 5_000 } }, /This channel's budget/],
])("when %s budget is used up, the model is not called, and the documents are quoted instead", async (_whose, port, own, said) => {
  const { answer, notices, calls: made } = await asked(port, own);
  expect(made).toBe(0);
  expect(answer).toMatchObject({ status: "fallback", text: expect.stringContaining("Passage a.") });
  expect(notices).toEqual([expect.stringMatching(said)]);
});

test("where nothing can be searched either, the reason is the budget", async () => {
  const { answer } = await asked(spending({ person: 1_000 }, { person: 1_000 }), {}, []);
  expect(answer).toMatchObject({ status: "error", error: { code: "BUDGET_USED_UP" } });
});

test.each([
  ["there is room", spending({ workspace: 1_000 }, { workspace: 799 }), []],
  ["somebody else has used theirs up", spending({ person: 1_000 }, { workspace: 90_000, channel: 90_000, person: 10 }), []],
  ["there are no budgets", spending({}, { workspace: 1e9, channel: 1e9, person: 1e9 }), []],
  [
    "little is left, and that is said",
    spending({ workspace: 1_000 }, { workspace: 850 }),
    [expect.stringContaining("85 % of this workspace's budget")],
  ],
])("the model answers while %s", async (_when, port, said) => {
  const { answer, notices } = await asked(port);
  expect(answer).toMatchObject({ status: "answered", text: "From the model [1]." });
  expect(notices).toEqual(said);
});

test("a template's budget for one answer brings it to its end, not to nothing", async () => {
  const { answer, notices } = await asked(spending({}, {}), { budget: { answerTokens: 1 } });
  expect(answer).toMatchObject({ status: "limited", text: "From the model [1]." });
  expect(notices).toEqual([expect.stringContaining("token budget")]);
});

test("how sources are to be listed comes with them", async () => {
  expect((await asked(spending({}, {}), { citations: "compact" })).styles).toEqual(["compact"]);
  expect((await asked(spending({}, {}))).styles).toEqual([undefined]);
});
