import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/permissions.md"), "utf8");

/** Per section: the test files it names, and the tests its table names. */
const sections = page.split("\n## ").map((section) => ({
  title: section.split("\n")[0] ?? "",
  files: [...section.matchAll(/`(test\/[^`]+)`/g)].map(([, path = ""]) => path),
  named: [...section.matchAll(/^\|.*\| "(.+)" \|$/gm)].map(([, name = ""]) => name),
}));

test("the page on permissions has a table for people, documents, places, tools, roles and changes", () =>
  expect(sections.filter(({ named }) => named.length > 0)).toHaveLength(6));

test.each(sections.flatMap(({ title, files, named }) => named.map((name) => [title, name, files] as const)))(
  "%s: the test %j exists",
  (_, name, files) => {
    const [file = ""] = files;
    expect(readFileSync(join(root, file), "utf8")).toContain(`"${name}"`);
  },
);
