import { availableParallelism } from "node:os";
import { testPackages } from "./scripts/test-packages.js";

/** ES modules as they are run: TypeScript is only stripped, so a test sees what the program sees. */
const swc = { jsc: { parser: { syntax: "typescript", tsx: true }, target: "es2022" } };
export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts", ".tsx"],
  transform: { "^.+\\.tsx?$": ["@swc/jest", swc] },
  roots: ["<rootDir>/src", "<rootDir>/migrations", "<rootDir>/playground", "<rootDir>/bench", "<rootDir>/scripts", "<rootDir>/test"],
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
