import { expect, test } from "@jest/globals";
import { builtInTemplates } from "../../../src/agent/templates/built-in.ts";
import { readTemplate } from "../../../src/agent/templates/read-template.ts";
import type { ChannelTemplate } from "../../../src/agent/templates/template.ts";
import { templateDiff, writeTemplate } from "../../../src/agent/templates/write-template.ts";

const vocabulary = { tools: ["web_search", "query_documents"], models: ["large"] };
const support: ChannelTemplate = {
  name: "support",
  title: "Support: desk #1",
  instructions: "Answer as the desk.\n\n- Say “please”: always.\n# no heading\n  indented",
  model: "large",
  temperature: 0,
  tools: { web_search: "locked", query_documents: "on" },
  otherTools: "off",
  reply: "always",
  suggestedPrompts: ["What's new?", "null", "yes", "- dash", "12"],
};

test.each([
  ["a full one", { ...support, suggestedPrompts: support.suggestedPrompts.slice(0, 4) }],
  [
    "one with budgets and small print",
    { ...support, suggestedPrompts: [], citations: "compact" as const, budget: { answerTokens: 20_000, monthTokens: 5_000_000 } },
  ],
  ...builtInTemplates.map((one) => [one.name, one] as const),
])("what is exported reads back as the same template: %s", (_, template) =>
  expect(readTemplate(writeTemplate(template), { ...vocabulary, tools: [...vocabulary.tools, ...Object.keys(template.tools)] })).toEqual(
    template,
  ),
);

test("a difference names the lines that change, with those around them", () => {
  expect(templateDiff(support, { ...support, title: "Help desk" }).filter((line) => !line.startsWith(" "))).toEqual([
    '- title: "Support: desk #1"',
    "+ title: Help desk",
  ]);
  expect(templateDiff(support, support)).toEqual([]);
  expect(templateDiff(undefined, support).every((line) => line.startsWith("+ "))).toBe(true);
});
