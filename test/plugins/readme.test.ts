import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { Registry } from "../../src/plugins/registry.ts";
import { worldClock } from "./example/plugin.ts";

const page = readFileSync(join(import.meta.dirname, "../../src/plugins/README.md"), "utf8");
const shown = [...page.matchAll(/`(?:src|test)\/plugins\/world-clock\/([^`]+)`\n\n```ts\n([\s\S]*?)```/g)];

/** The page's paths, as they are where the example is compiled. */
const here = (code: string, file: string): string =>
  file.endsWith(".test.ts")
    ? code.replace("../../../../src/plugins/world-clock/tools/", "./")
    : code.replace(/"(?:\.\.\/)+(define|contract)\.ts"/g, (_, name) =>
        file.startsWith("tools/") ? `"../../../../src/plugins/${name}.ts"` : `"../../../src/plugins/${name}.ts"`,
      );

test("the page on plugins shows a whole plugin: client, tool, entry and test", () =>
  expect(shown.map(([, file]) => file)).toEqual(["client.ts", "tools/tell-time.ts", "plugin.ts", "tools/tell-time.test.ts"]));

test.each(shown.map(([, file = "", code = ""]) => [file, code]))("%s on the page is the file that is compiled and run", (file, code) =>
  expect(here(code, file)).toBe(readFileSync(join(import.meta.dirname, "example", file), "utf8")),
);

test("the example takes its place in the registry", () =>
  expect(new Registry([worldClock]).all().map(({ name }) => name)).toEqual(["tell_time"]));
