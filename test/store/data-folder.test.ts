import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeDataFolder } from "../../src/store/data-folder.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "footnote-folder-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("is made with those above it, for its owner alone, also by two at the same time", async () => {
  const path = join(folder, "a", "b");
  await Promise.all([makeDataFolder(path), makeDataFolder(path)]);
  await makeDataFolder(path);
  expect((await stat(path)).mode & 0o777).toBe(0o700);
});

test("where none can be made, a start ends with an error instead of trying for ever", async () => {
  await writeFile(join(folder, "file"), "");
  await expect(makeDataFolder(join(folder, "file", "x"))).rejects.toMatchObject({ code: "ENOTDIR" });
  await expect(makeDataFolder("/proc/footnote")).rejects.toMatchObject({ code: "HOME_NOT_WRITABLE" });
});
