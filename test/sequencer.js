import { readFileSync } from "node:fs";

/** What makes a test file take long, the slowest first: the whole program, then a database or other programs. */
const heavy = [/\brunApp\(/, /\b(?:openTestDatabase|openKnowledge|startProgram|createExtractor)\(|World\.start\(/];

const weight = (path) => {
  const text = readFileSync(path, "utf8");
  const at = heavy.findIndex((sign) => sign.test(text));
  return [at < 0 ? heavy.length : at, -text.length];
};

/** Long test files first, so that in the end no worker is alone with one. The order follows from the files, not from earlier runs. */
export default class SlowestFirst {
  sort(tests) {
    const weighed = tests.map((test) => ({ test, weight: weight(test.path) }));
    return weighed.sort((a, b) => a.weight[0] - b.weight[0] || a.weight[1] - b.weight[1]).map(({ test }) => test);
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
