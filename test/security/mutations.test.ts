import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";

interface Mutation {
  readonly threat: string;
  readonly control: string;
  readonly file: string;
  readonly remove: string;
  readonly put: string;
  readonly test: string;
}

const { mutations } = JSON.parse(readFileSync("test/security/mutations.json", "utf8")) as { readonly mutations: readonly Mutation[] };

test("every control that `npm run mutations` takes out is still there, once, and so is its test", () => {
  expect(mutations.length).toBeGreaterThan(50);
  const stale = mutations.filter(
    ({ file, remove, put, test: path }) =>
      !existsSync(file) || readFileSync(file, "utf8").split(remove).length !== 2 || remove === put || !existsSync(path),
  );
  expect(stale.map(({ threat, control, file }) => `${threat} ${control}: ${file}`)).toEqual([]);
});
