import { problemWith } from "../../../src/agent/tools/parameters.ts";
import type { ToolDefinition } from "../../../src/plugins/external-tools.ts";
import { fingerprintOf, isLeftOut, readDefinition } from "../../../src/plugins/mcp/definition.ts";
import { nameTools } from "../../../src/plugins/mcp/names.ts";
import { parametersOf } from "../../../src/plugins/mcp/schema.ts";
import { functionMistakes } from "../../fakes/function-schema.ts";
import { realTools } from "./real-tools.ts";

const definition = (name: string, more: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name,
  description: "Does it.",
  inputSchema: {},
  ...more,
});

const read = (raw: object): ToolDefinition => {
  const found = readDefinition(raw);
  if (!found || isLeftOut(found)) throw new Error("left out");
  return found;
};

const asFunction = (name: string, { description, inputSchema }: ToolDefinition) => ({
  function: { name, description: description || "Nothing is said.", parameters: parametersOf(inputSchema) },
});

describe("definitions of real servers", () => {
  const real = realTools();
  const given = real ? test : test.skip;

  given("all 302 are read, and all but those for apps become functions that the strictest model takes", () => {
    let all = 0;
    let apps = 0;
    for (const [server, tools] of real ?? []) {
      const definitions = tools.flatMap((raw) => {
        const found = readDefinition(raw);
        all += 1;
        if (!found) apps += 1;
        expect(found && isLeftOut(found) ? found : undefined).toBeUndefined();
        return found && !isLeftOut(found) ? [found] : [];
      });
      const { named, leftOut } = nameTools(server, definitions);
      expect(leftOut).toEqual([]);
      expect(new Set(named.map(({ name }) => name)).size).toBe(definitions.length);
      expect(named.flatMap(({ name, definition }) => functionMistakes(asFunction(name, definition)))).toEqual([]);
    }
    expect({ all, apps }).toEqual({ all: 302, apps: 7 });
  });

  given("arguments are judged by each converted schema without an exception", () => {
    for (const [, tools] of real ?? []) {
      for (const raw of tools) {
        const found = readDefinition(raw);
        if (!found || isLeftOut(found)) continue;
        const tool = { name: "x", description: "X.", parameters: parametersOf(found.inputSchema), execute: async () => Promise.reject() };
        expect(() => problemWith({ nothing: "of this kind" }, tool)).not.toThrow();
      }
    }
  });
});

describe("schemas", () => {
  test("H5-MCP-11: alternatives at the root, an empty schema and a bad output schema cost nobody a tool", () => {
    const list = [
      { name: "good", description: "Good.", inputSchema: { type: "object", properties: { q: { type: "string" } } } },
      {
        name: "either",
        description: "Either.",
        inputSchema: {
          oneOf: [
            { type: "object", properties: { id: { type: "string" }, kind: { const: "a" } }, required: ["id", "kind"] },
            { type: "object", properties: { url: { type: "string" }, kind: { const: "b" } }, required: ["url", "kind"] },
          ],
        },
      },
      { name: "empty", description: "Empty.", inputSchema: {} },
      { name: "bad_output", description: "Bad.", inputSchema: { type: "object" }, outputSchema: { description: "x" } },
    ];
    const functions = list.map((raw) => asFunction(raw.name, read(raw)));
    expect(functions.flatMap(functionMistakes)).toEqual([]);
    expect(functions[1]?.function.parameters).toMatchObject({
      properties: { id: { type: "string" }, url: { type: "string" }, kind: { enum: ["a", "b"] } },
      required: ["kind"],
    });
  });

  test("a schema that contains itself, far references and references out of the document end", () => {
    const tree = {
      type: "object",
      properties: { children: { type: "array", items: { $ref: "#" } }, far: { $ref: "https://evil.example/s.json" } },
    };
    expect(functionMistakes(asFunction("tree", definition("tree", { inputSchema: tree })))).toEqual([]);
    const loop = { anyOf: [{ $ref: "#" }, { $ref: "#" }], $defs: { a: { $ref: "#/$defs/a" } }, properties: { a: { $ref: "#/$defs/a" } } };
    expect(functionMistakes(asFunction("loop", definition("loop", { inputSchema: loop })))).toEqual([]);
  });

  test("T53: patterns, which can hang a program, never reach the validator", () => {
    const parameters = parametersOf({ type: "object", properties: { q: { type: "string", pattern: "(a+)+$" } } });
    expect(JSON.stringify(parameters)).not.toContain("pattern");
  });

  test("T54: a schema of ten thousand levels and one that poisons prototypes are left out, with the reason", () => {
    let deep: object = {};
    for (let level = 0; level < 10_000; level++) deep = { properties: { x: deep } };
    expect(readDefinition({ name: "deep", inputSchema: deep })).toMatchObject({ reason: expect.stringContaining("deeply") });
    const poison = JSON.parse('{"name":"p","inputSchema":{"type":"object","properties":{"__proto__":{"type":"string"}}}}');
    expect(readDefinition(poison)).toMatchObject({ reason: expect.any(String) });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("T25: a definition that no admin would read to its end is left out, with the reason; a long one is not", () => {
    const described = (length: number) => readDefinition({ name: "long", description: "x".repeat(length), inputSchema: {} });
    expect(described(70_000)).toMatchObject({ reason: expect.stringContaining("too long") });
    expect(described(14_000)).not.toHaveProperty("reason");
  });

  test("T50: an argument that the tool does not have is refused before the server sees it", () => {
    const parameters = parametersOf({ type: "object", properties: { path: { type: "string", maxLength: 10 } } });
    const tool = { name: "x", description: "X.", parameters, execute: async () => Promise.reject() };
    expect(problemWith({ "--upload-pack": "x" }, tool)).toBeDefined();
    expect(problemWith({ path: "x".repeat(1_000_000) }, tool)).toBeDefined();
    expect(problemWith({ path: "a" }, tool)).toBeUndefined();
  });
});

describe("what admins can rely on when they look at a definition", () => {
  test("T25: text that people cannot see keeps a tool out, visible text in any language does not", () => {
    for (const hidden of ["\u200b", "\u{E0041}", "\u202e", "\u0007"])
      expect(readDefinition({ name: "add", description: `Adds.${hidden}`, inputSchema: {} })).toMatchObject({ reason: expect.any(String) });
    expect(readDefinition({ name: "add", description: "Addiert. جمع 👩‍👩‍👧\n\tOK", inputSchema: {} })).toMatchObject({ name: "add" });
  });

  test("T26: one character, a default or an annotation changes the fingerprint; the order of keys does not", () => {
    const one = definition("a", {
      inputSchema: { type: "object", properties: { q: { type: "string", default: "x" } } },
      annotations: { readOnlyHint: true },
    });
    const print = fingerprintOf(one, "https://mcp.example/api");
    expect(
      fingerprintOf(
        { ...one, inputSchema: { properties: { q: { default: "x", type: "string" } }, type: "object" } },
        "https://mcp.example/api",
      ),
    ).toBe(print);
    expect(fingerprintOf({ ...one, description: "Does it!" }, "https://mcp.example/api")).not.toBe(print);
    expect(fingerprintOf({ ...one, annotations: { readOnlyHint: false } }, "https://mcp.example/api")).not.toBe(print);
    expect(
      fingerprintOf(
        { ...one, inputSchema: { type: "object", properties: { q: { type: "string", default: "y" } } } },
        "https://mcp.example/api",
      ),
    ).not.toBe(print);
    expect(fingerprintOf(one, "https://other.example/api")).not.toBe(print);
  });
});

describe("names", () => {
  const names = (server: string, ...tools: string[]) => {
    const { named, leftOut } = nameTools(
      server,
      tools.map((name) => definition(name)),
    );
    return { names: named.map(({ name }) => name), leftOut: leftOut.map(({ name }) => name) };
  };

  test("the server's name stands in front, once", () => {
    expect(names("github", "github_create_issue", "listRepos", "get.user").names).toEqual([
      "github__create_issue",
      "github__list_repos",
      "github__get_user",
    ]);
  });

  test("T27: a server cannot take the name of a built-in tool or of another server's tool", () => {
    expect(names("evil", "query_documents").names).toEqual(["evil__query_documents"]);
  });

  test("T27: names that look alike are refused altogether, names that merely become equal are told apart", () => {
    expect(names("s", "search", "Search", "other")).toEqual({ names: ["s__other"], leftOut: ["search", "Search"] });
    expect(names("s", "list1", "listl").leftOut).toEqual(["list1", "listl"]);
    const both = names("s", "a.b", "a-b").names;
    expect(new Set(both).size).toBe(2);
    for (const name of both) expect(name).toMatch(/^s__a_b_[0-9a-f]{6}$/);
  });

  test("names that are too long are cut and stay apart", () => {
    const long = names("server", `${"x".repeat(90)}_one`, `${"x".repeat(90)}_two`).names;
    for (const name of long) expect(name.length).toBeLessThanOrEqual(64);
    expect(new Set(long).size).toBe(2);
  });

  test("names outside of what MCP allows are refused", () => {
    for (const name of ["", "__proto__", "x y", "süche", "x".repeat(129)])
      expect(readDefinition({ name, inputSchema: {} })).toMatchObject({ reason: expect.any(String) });
  });
});
