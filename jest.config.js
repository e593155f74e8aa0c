import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { testPackages } from "./scripts/test-packages.js";

/** Where modules and tests are looked for. */
const folders = ["src", "migrations", "playground", "bench", "scripts", "test"];

/** ES modules as they are run: TypeScript is only stripped, so a test sees what the program sees. */
const swc = { jsc: { parser: { syntax: "typescript", tsx: true }, target: "es2022" } };
export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts", ".tsx"],
  transform: { "^.+\\.tsx?$": ["@swc/jest", swc] },
  // Those that there are: a copy of the project may hold a part of it.
  roots: folders.filter((name) => existsSync(new URL(name, import.meta.url))).map((name) => `<rootDir>/${name}`),
  // Asking for that program takes longer than listing these folders.
  watchman: false,
  moduleNameMapper: await testPackages(),
  // Jest leaves one core free by itself, which on two cores is half of them, and many tests wait for a process. Each has threads of its own, though.
  maxWorkers: Math.min(8, availableParallelism() + 1),
  testSequencer: "<rootDir>/test/sequencer.js",
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  // Only a guard against tests that hang: nothing is measured by it, and a machine may be busy.
  testTimeout: 300_000,
};
