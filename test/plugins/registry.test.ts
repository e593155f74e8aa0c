import { describe, expect, test } from "@jest/globals";
import { AppError } from "../../src/core/errors.ts";
import type { JsonSchema } from "../../src/core/json-schema.ts";
import type { Tool } from "../../src/plugins/contract.ts";
import { defineTool, text } from "../../src/plugins/define.ts";
import { Registry } from "../../src/plugins/registry.ts";

const tool = (name: string, changes: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: "Does something.",
    parameters: { type: "object", properties: { query: { type: "string", description: "What to do." } }, required: ["query"] },
    execute: async () => text("done"),
    ...changes,
  });
const registryOf = (...tools: Tool[]) => new Registry([{ name: "sample", tools }]);
const schema = (parameters: unknown) => registryOf(tool("a", { parameters: parameters as JsonSchema }));

const refusal = (make: () => unknown): AppError => {
  try {
    make();
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown;
  }
  throw new Error("It was not refused.");
};

test("everything registered is listed in name order, whatever the order of registration", () => {
  const [first, second] = [registryOf(tool("b_tool"), tool("a_tool")), registryOf(tool("a_tool"), tool("b_tool"))];
  expect(first.all().map(({ name }) => name)).toEqual(["a_tool", "b_tool"]);
  expect(second.all().map(({ name }) => name)).toEqual(["a_tool", "b_tool"]);
});

test("once made it is closed: neither the list nor a checked tool can be changed", () => {
  const tools = [tool("a")];
  const registry = new Registry([{ name: "sample", tools }]);
  tools.push(tool("b"));
  expect(registry.all()).toHaveLength(1);
  expect(() => (registry.all() as Tool[]).push(tool("c"))).toThrow(TypeError);
  expect(() => Object.assign(registry.all()[0] as Tool, { name: "c" })).toThrow(TypeError);
});

test("arguments that no tool described are refused, also when the author forgot to say so", () => {
  const [checked] = registryOf(tool("a")).all();
  expect(checked?.parameters.additionalProperties).toBe(false);
  expect(refusal(() => schema({ type: "object", properties: {}, additionalProperties: true })).code).toBe("TOOL_BAD_SCHEMA");
});

describe("names", () => {
  test.each(["Query", "query-documents", "1query", "_query", "", "a".repeat(65), "__proto__", "query documents", "quеry"])(
    "%j is refused",
    (name) => expect(refusal(() => registryOf(tool(name))).code).toBe("TOOL_BAD_NAME"),
  );
  test.each(["constructor", "prototype", "all", "none", "on", "off", "tools", "help"])("the reserved word %s is refused", (name) =>
    expect(refusal(() => registryOf(tool(name))).code).toBe("TOOL_BAD_NAME"),
  );
  test.each(["query", "query_documents_2", "a".repeat(64), "server__tool"])("%s is taken", (name) =>
    expect(registryOf(tool(name)).all()).toHaveLength(1),
  );
  test.each([
    ["query", "query"],
    ["search_all", "search_a1l"],
    ["list_docs", "iist_docs"],
    ["web_search", "websearch"],
    ["go_to", "g0_to"],
  ])("%s and %s cannot be told apart", (left, right) =>
    expect(refusal(() => registryOf(tool(left), tool(right))).code).toBe("TOOL_ALREADY_REGISTERED"),
  );
  test("two plugins cannot bring the same tool, nor have the same name", () => {
    const twice = [
      { name: "one", tools: [tool("a")] },
      { name: "two", tools: [tool("a")] },
    ];
    expect(refusal(() => new Registry(twice)).code).toBe("TOOL_ALREADY_REGISTERED");
    const named = [
      { name: "one", tools: [tool("a")] },
      { name: "one", tools: [tool("b")] },
    ];
    expect(refusal(() => new Registry(named)).message).toContain('two plugins "one"');
  });
});

describe("what a model must be told", () => {
  test.each<[string, unknown, string]>([
    ["no properties", { type: "object" }, "must be an object"],
    ["no object", { type: "array", properties: {} }, "must be an object"],
    ["an undescribed property", { type: "object", properties: { q: { type: "string" } } }, "q has no description"],
    ["a blank description", { type: "object", properties: { q: { type: "string", description: " " } } }, "q has no description"],
    [
      "an undescribed property of an object",
      { type: "object", properties: { o: { type: "object", description: "O.", properties: { q: { type: "string" } } } } },
      "o.q has no description",
    ],
    [
      "an undescribed property of a list's items",
      {
        type: "object",
        properties: { l: { type: "array", description: "L.", items: { type: "object", properties: { q: { type: "string" } } } } },
      },
      "l.q has no description",
    ],
    ["a required parameter that is none", { type: "object", properties: {}, required: ["q"] }, "q is not a property"],
    ["a type that does not exist", { type: "object", properties: { q: { type: "text", description: "Q." } } }, "schema is invalid"],
    ["a misspelt keyword", { type: "object", properties: { q: { type: "string", minLenght: 1, description: "Q." } } }, "minLenght"],
  ])("%s is refused", (_, parameters, reason) => {
    const error = refusal(() => schema(parameters));
    expect(error.code).toBe("TOOL_BAD_SCHEMA");
    expect(error.message).toContain(reason);
  });

  test("a description must be a sentence", () => {
    expect(refusal(() => registryOf(tool("a", { description: "Does something" }))).message).toContain("full stop");
    expect(refusal(() => registryOf(tool("a", { description: "." }))).message).toContain("full stop");
  });
});

describe("limits", () => {
  test.each([0, -1, 1.5, 300_001, Number.NaN])("a time limit of %s is refused", (timeoutMs) =>
    expect(refusal(() => registryOf(tool("a", { timeoutMs }))).message).toContain("timeoutMs"),
  );
  test.each([0, 1.5, 86_400_001])("using results again for %s ms is refused", (freshMs) =>
    expect(refusal(() => registryOf(tool("a", { freshMs }))).message).toContain("freshMs"),
  );
  test.each([0, 1.5, 1_000_001])("an output limit of %s is refused", (outputLimit) =>
    expect(refusal(() => registryOf(tool("a", { outputLimit }))).message).toContain("outputLimit"),
  );
  test("the longest allowed ones are taken", () =>
    expect(registryOf(tool("a", { timeoutMs: 300_000, freshMs: 86_400_000, outputLimit: 1_000_000 })).all()).toHaveLength(1));
});

test("all mistakes are named at once", () => {
  const error = refusal(() => registryOf(tool("Bad-Name"), tool("b", { description: "No stop" }), tool("c", { timeoutMs: 0 })));
  expect(error.code).toBe("PLUGIN_INVALID");
  for (const part of ["Bad-Name", "b: the description", "c: timeoutMs"]) expect(error.message).toContain(part);
});
