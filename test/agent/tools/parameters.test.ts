import { expect, test } from "@jest/globals";
import { problemWith } from "../../../src/agent/tools/parameters.ts";
import type { Tool } from "../../../src/plugins/contract.ts";
import { defineTool, text } from "../../../src/plugins/define.ts";

/** A tool whose one parameter is a number of at most `most`, under an id that another server's schema may have as well. */
const counting = (most: number): Tool =>
  defineTool({
    name: "count_things",
    description: "Counts.",
    parameters: {
      $id: "https://schemas.example/count",
      type: "object",
      properties: { count: { type: "integer", maximum: most, description: "How many." } },
      required: ["count"],
      additionalProperties: false,
    } as Tool["parameters"],
    annotations: { readOnly: true },
    execute: async () => text("Counted."),
  });

test("two workspaces' servers may give their schemas the same id: each tool is checked by its own", () => {
  const [few, many] = [counting(5), counting(500)];
  expect(problemWith({ count: 50 }, few)).toContain("must be <= 5");
  expect(problemWith({ count: 50 }, many)).toBeUndefined();
  expect(problemWith({ count: 5 }, few)).toBeUndefined();
});

test("what is wrong is said with the field's name", () => {
  expect(problemWith({}, counting(5))).toBe("count is missing.");
  expect(problemWith({ count: 1, color: "red" }, counting(5))).toBe("color is not a parameter of this tool.");
  expect(problemWith(JSON.parse('{"count": 1, "__proto__": {}}'), counting(5))).toBe("The parameter name __proto__ is not allowed.");
});
