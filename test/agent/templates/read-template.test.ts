import { describe, expect, test } from "@jest/globals";
import { builtInTemplates } from "../../../src/agent/templates/built-in.ts";
import { readTemplate } from "../../../src/agent/templates/read-template.ts";
import { toolsOf } from "../../../src/agent/templates/template.ts";

const vocabulary = { tools: ["query_documents", "web_search"], models: ["small", "large"] };
const read = (yaml: string) => readTemplate(yaml, vocabulary);

test("a template with everything", () =>
  expect(
    read(`
# The support desk's channel.
name: support-desk
title: Support desk
instructions: |
  Be brief.
  Ask back when in doubt.
model: large
temperature: 0.3
tools:
  query_documents: on
  Web-Search: locked
other_tools: off
reply: always
suggested_prompts:
  - What is new?
`),
  ).toEqual({
    name: "support-desk",
    title: "Support desk",
    instructions: "Be brief.\nAsk back when in doubt.",
    model: "large",
    temperature: 0.3,
    tools: { query_documents: "on", "Web-Search": "locked" },
    otherTools: "off",
    reply: "always",
    suggestedPrompts: ["What is new?"],
  }));

test("a template with nothing but a name: every tool, the usual rule", () =>
  expect(read("name: plain\ntitle: Plain\n")).toEqual({
    name: "plain",
    title: "Plain",
    instructions: "",
    tools: {},
    otherTools: "on",
    reply: "thread",
    suggestedPrompts: [],
  }));

describe("mistakes are told with their lines", () => {
  const head = "name: a\ntitle: A\n";
  test.each([
    ["an unknown setting", `${head}colour: blue\n`, ["line 3: colour is not a setting of a template."]],
    ["a missing name", "title: A\n", ["line 1: name is missing: lower-case letters, digits and hyphens."]],
    ["a name with blanks", "name: A b\ntitle: A\n", ["line 1: name must be lower-case letters, digits and hyphens, at most 40."]],
    ["a state that is none", `${head}tools:\n  web_search: maybe\n`, ["line 4: tools.web_search must be on, off or locked."]],
    ["true instead of on", `${head}tools:\n  web_search: true\n`, ["line 4: tools.web_search must be on, off or locked."]],
    [
      "a slip in a tool's name",
      `${head}tools:\n  query_documents: on\n  web_serch: on\n`,
      ['line 5: There is no tool "web_serch". Did you mean web_search?'],
    ],
    ["a model that is not allowed", `${head}\nmodel: huge\n`, ['line 4: The model "huge" is not allowed here.']],
    ["a hot temperature", `${head}temperature: 3\n`, ["line 3: temperature must be at most 2."]],
    ["a rule that is none", `${head}reply: never\n`, ["line 3: reply must be mention, thread or always."]],
    ["too many prompts", `${head}suggested_prompts: [a, b, c, d, e]\n`, ["line 3: suggested_prompts must hold at most 4 prompts."]],
    ["a title over two lines", 'name: a\ntitle: "A\\nB"\n', ["line 2: title must be one line."]],
    [
      "two mistakes at once",
      "name: a\ntitle: A\nreply: no\nmodel: huge\ntemperature: hot\n",
      ["line 3: reply", "line 5: temperature must be a number"],
    ],
    ["broken YAML", `${head}tools: [\n`, ["line 4"]],
    ["a key that is there twice", `${head}title: B\n`, ["line 3"]],
    ["a list", "- a\n- b\n", ["line 1: The file must hold settings"]],
    ["an empty file", "", ["line 1: The file must hold settings"]],
    ["a file without end", `${head}instructions: ${"x".repeat(60_000)}\n`, ["line 1: The file has more than 50000 characters."]],
  ])("%s", (_, yaml, mistakes) => {
    expect(() => read(yaml)).toThrow(expect.objectContaining({ code: "TEMPLATE_INVALID" }));
    for (const mistake of mistakes) expect(() => read(yaml)).toThrow(mistake);
  });

  test("without a language model no template can name one", () =>
    expect(() => readTemplate(`${head}model: small\n`, { ...vocabulary, models: [] })).toThrow("No language model is configured here"));

  test("a few lines that would stand for gigabytes are refused", () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x]\n${"bcdefgh"
      .split("")
      .map((name, at) => `${name}: &${name} [${Array(8).fill(`*${"abcdefg"[at]}`)}]`)
      .join("\n")}\n`;
    expect(() => read(bomb)).toThrow(expect.objectContaining({ code: "TEMPLATE_INVALID" }));
  });

  test.each(["!!js/function 'x'", "!!binary aGk=", "&a x"])("a tag or an anchor does nothing: %s", (value) => {
    const result = () => read(`name: a\ntitle: ${value}\n`);
    if (value === "&a x") expect(result().title).toBe("x");
    else expect(result).toThrow(expect.objectContaining({ code: "TEMPLATE_INVALID" }));
  });
});

describe("a template's tools", () => {
  test("hold in any spelling; what is not named is as the template says", () => {
    const { part, locked } = toolsOf({ tools: { "Web-Search": "locked", query_documents: "on" }, otherTools: "off" }, [
      ...vocabulary.tools,
      "other",
    ]);
    expect([...part]).toEqual(["query_documents"]);
    expect([...locked]).toEqual(["web_search"]);
  });

  test("the built-in one for documents leaves everything else out", () => {
    const documents = builtInTemplates.find(({ name }) => name === "document-analysis");
    const { part } = toolsOf(documents ?? { tools: {}, otherTools: "on" }, [...vocabulary.tools, "list_documents"]);
    expect([...part].sort()).toEqual(["list_documents", "query_documents"]);
  });

  test("the built-in general one takes everything in", () => {
    const general = builtInTemplates.find(({ name }) => name === "general");
    expect([...toolsOf(general ?? { tools: {}, otherTools: "off" }, vocabulary.tools).part]).toEqual(vocabulary.tools);
  });
});
