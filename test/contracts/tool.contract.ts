import { describe, expect, test } from "@jest/globals";
import { Ajv } from "ajv";
import type { Source, Tool, ToolContext, ToolResult } from "../../src/plugins/contract.ts";
import { Registry } from "../../src/plugins/registry.ts";

/** What a tool's test brings to the suite that every tool must pass. */
export interface ToolCase {
  readonly tool: Tool;
  /** Arguments of a call that succeeds. */
  readonly good: unknown;
  /** Arguments that the tool's schema must refuse; each is one way of getting it wrong. */
  readonly bad: readonly unknown[];
  /** Makes the context of a call with this signal. */
  context(signal: AbortSignal): ToolContext;
  /** Puts the service behind the tool into a state in which a call does not end by itself; absent when there is no such state. */
  hang?(): void;
}

/** Registers the tests of the tool contract. `make` is called anew for each test. */
export function toolContract(name: string, make: () => ToolCase): void {
  const registered = () => {
    const made = make();
    const [tool] = new Registry([{ name: "contract", tools: [made.tool] }]).all();
    if (!tool) throw new Error("The registry lost the tool.");
    return { ...made, tool, validate: new Ajv().compile(tool.parameters) };
  };
  const live = () => new AbortController().signal;

  describe(`${name} keeps the tool contract`, () => {
    test("has the name it goes by, a title, and takes its place in the registry", () => {
      const { tool } = registered();
      expect(tool.name).toBe(name);
      expect(tool.annotations?.title).toMatch(/^\p{Lu}.*[^.]$/u);
    });

    test("says whether it only reads", () => expect(typeof registered().tool.annotations?.readOnly).toBe("boolean"));

    test("takes a good call and gives back a well-formed result", async () => {
      const { tool, good, context, validate } = registered();
      expect(validate(good)).toBe(true);
      const result = await tool.execute(good, context(live()));
      expect(result.status).toBe("success");
      expectWellFormed(result);
    });

    test("its schema refuses bad calls and arguments it does not know", () => {
      const { bad, good, validate } = registered();
      expect(bad.length).toBeGreaterThan(0);
      expect(bad.filter((params) => validate(params))).toEqual([]);
      expect(validate({ ...(good as object), not_a_parameter: 1 })).toBe(false);
    });

    test("describes a call in one short line", () => {
      const { tool, good, bad } = registered();
      expect(tool.describeCall?.(good) ?? "-").toMatch(/^[^\n]{1,150}$/);
      for (const params of [...bad, undefined]) expect(() => tool.describeCall?.(params)).not.toThrow();
    });

    test("does nothing once its signal has aborted", async () => {
      const { tool, good, context } = registered();
      await expect(tool.execute(good, context(AbortSignal.abort(new Error("stopped"))))).rejects.toThrow("stopped");
    });

    test("stops a running call when its signal aborts", async () => {
      const { tool, good, context, hang } = registered();
      const stop = new AbortController();
      hang?.();
      const call = tool.execute(good, context(stop.signal)).then(
        () => "ended",
        (thrown: Error) => thrown.message,
      );
      stop.abort(new Error("stopped"));
      expect(["ended", "stopped"].slice(hang ? 1 : 0)).toContain(await call);
    });

    test("keeps no state: the same call twice gives the same result", async () => {
      const { tool, good, context } = registered();
      expect(await tool.execute(good, context(live()))).toEqual(await tool.execute(good, context(live())));
    });
  });
}

/** The shape every result must have. */
function expectWellFormed(result: ToolResult): void {
  expect(["text", "resource", "image"]).toContain(result.type);
  expect(result.content.length).toBeGreaterThan(0);
  expect(result.error === undefined).toBe(result.status === "success");
  const sources = result.metadata.sources ?? [];
  for (const source of sources) expectSource(source);
  expect(new Set(sources.map(({ id }) => id)).size).toBe(sources.length);
}

function expectSource({ id, title, url, documentId, passage, page = 1, pageEnd = page, relevance, timestamp }: Source): void {
  expect([id, title, passage].every((words) => words.trim() !== "")).toBe(true);
  expect(url !== undefined || documentId !== undefined).toBe(true);
  if (url !== undefined) expect(url).toMatch(/^https?:\/\//);
  expect(Number.isInteger(page) && page >= 1 && pageEnd >= page).toBe(true);
  expect(relevance >= 0 && relevance <= 1).toBe(true);
  if (timestamp !== undefined) expect(new Date(timestamp).toISOString()).toBe(timestamp);
}
