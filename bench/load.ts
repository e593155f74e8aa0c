/**
 * Runs the load harness against the built bot, its floor and its peer. Prints one JSON object on standard output; progress and a table
 * go to standard error.
 * Run: npm run bench -- [--profiles table | all | plain,tools] [--bots bare,footnote-embedded] [--rounds 3] [--set load.questions=50] [--keep folder] [--cpu-prof folder]
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { isVariant, raisedLimits, raisedWhereSlackHasNoLimits, variants } from "./load/footnote.ts";
import { goals } from "./load/goals.ts";
import { findHarness, installPeer, placeHarness, root } from "./load/harness.ts";
import { oneRun, type RunResult } from "./load/one-run.ts";
import { lossesOf, markdown, rowsOf } from "./load/table.ts";

/** Loads by a name for all of them, in the order in which a failure says most: those that a goal is read from, and all that there are. */
const namedProfiles: Readonly<Record<string, string>> = {
  table: "smoke,plain,tools,burst,overlap,dups,faults,longstream,workspace,saturate,sessions",
  all: "smoke,plain,tools,burst,overlap,dups,faults,longstream,limits,workspace,thread,saturate,sessions50,sessions",
};
const allBots = "bare,bare-adaptive,vercel-chat,footnote-embedded,footnote-postgres";
/** A run in which the harness itself was held up longer than this (p99, in milliseconds) says little about the bot. */
const disturbedMs = 30;

const say = (line: string) => process.stderr.write(`${line}\n`);

const { values: options } = parseArgs({
  options: {
    profiles: { type: "string", default: "table" },
    bots: { type: "string", default: allBots },
    rounds: { type: "string", default: "1" },
    set: { type: "string", multiple: true, default: [] },
    keep: { type: "string" },
    "cpu-prof": { type: "string" },
  },
});

const original = await findHarness();
if (!original) {
  say("The load harness is not here: it is expected in ../shared/harness, or in the folder harness of FOOTNOTE_SHARED.");
  process.exit(2);
}
const harness = await placeHarness(original);
const known = JSON.parse(await readFile(join(harness, "scenarios", "profiles.json"), "utf8")) as Record<
  string,
  { teams?: number; limits?: { mode?: string } }
>;
const profiles = (namedProfiles[options.profiles] ?? options.profiles).split(",");
for (const profile of profiles) if (!known[profile]) throw new Error(`There is no profile ${profile}: ${Object.keys(known).join(", ")}.`);
const wanted = options.bots.split(",");
const serverUrl = wanted.some((bot) => isVariant(bot) && variants[bot].database === "postgres") ? await postgresServer() : undefined;
const bots = await available(wanted);
const listed = (settings: object) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(" ");
say(`Limits raised by configuration: ${listed(raisedLimits)}, and where Slack has no limits ${listed(raisedWhereSlackHasNoLimits)}`);

const begun = performance.now();
const results: Record<string, Record<string, RunResult[]>> = {};
const failures: string[] = [];
for (let round = 0; round < Number(options.rounds); round++) {
  for (const profile of profiles) {
    const here = bots.filter((bot) => bot !== "bare-adaptive" || measuresAdaptive(profile));
    // Each round begins with another bot, so that none always runs first.
    for (let at = 0; at < here.length; at++) {
      const bot = here[(at + round) % here.length] as string;
      const keep = options.keep && join(options.keep, `${profile}-${bot}-${round + 1}`);
      const wish = {
        harness,
        peer: bot,
        profile,
        teams: known[profile]?.teams ?? 1,
        limited: known[profile]?.limits?.mode === "documented",
        serverUrl,
        set: options.set,
      };
      const cpuProfile = options["cpu-prof"] && join(options["cpu-prof"], `${profile}-${bot}-${round + 1}`);
      const result = await oneRun({ ...wish, ...(keep && { keep }), ...(cpuProfile && { cpuProfile }) });
      if ("error" in result) {
        failures.push(`${profile}, ${bot}: ${result.error}`);
        say(`${profile} ${bot}: FAILED ${result.error}`);
        continue;
      }
      const ofProfile = results[profile] ?? {};
      results[profile] = { ...ofProfile, [bot]: [...(ofProfile[bot] ?? []), result] };
      say(summary(profile, bot, result));
    }
  }
}

say(`It took ${Math.round((performance.now() - begun) / 60_000)} minutes.`);
const rows = rowsOf(results);
const lost = lossesOf(results);
say(`\n${markdown(rows)}\n`);
say(lost.length === 0 ? "Nothing lost, doubled, damaged, unfinished or leaked." : lost.join("\n"));
const machine = { node: process.version, cores: cpus().length };
process.stdout.write(
  `${JSON.stringify({ machine, limits: raisedLimits, limitsWhereSlackHasNone: raisedWhereSlackHasNoLimits, rows, losses: lost, failures, results }, null, 1)}\n`,
);
process.exitCode = lost.length > 0 || failures.length > 0 ? 1 : 0;

/** The bots that can be run here; says which cannot, and why. */
async function available(names: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of names) {
    const why = isVariant(name)
      ? variants[name].database === "postgres" && !serverUrl && "there is no Postgres server (FOOTNOTE_TEST_DATABASE_URL)"
      : name.startsWith("bare")
        ? false
        : await installPeer(harness, name);
    if (why) say(`${name} is left out: ${why}.`);
    else found.push(name);
  }
  return found;
}

/** A Postgres server's superuser: the one that is named, or a scratch server. Undefined when there is none. */
async function postgresServer(): Promise<string | undefined> {
  if (process.env.FOOTNOTE_TEST_DATABASE_URL) return process.env.FOOTNOTE_TEST_DATABASE_URL;
  try {
    const { stdout } = await promisify(execFile)(join(root, ".ci", "postgres.sh"), { timeout: 300_000 });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

function measuresAdaptive(profile: string): boolean {
  return profile === "limits" || goals.some((goal) => goal.profile === profile && goal.floor === "bare-adaptive");
}

function summary(profile: string, bot: string, run: RunResult): string {
  const { answered, questions, toLlmMs, firstTokenLagMs, overheadMs, cpuMsPerAnswer, harness } = run;
  const figures = `event to model ${toLlmMs.p50} ms, first text ${firstTokenLagMs.p50} ms, overhead ${overheadMs.p50} ms, CPU ${cpuMsPerAnswer} ms`;
  const told = run.noticed ? ` and ${run.noticed} told of a failure` : "";
  const disturbed = harness.eldP99 > disturbedMs ? `; disturbed: the harness was held up ${harness.eldP99} ms` : "";
  return `${profile} ${bot}: ${answered}/${questions}${told}, ${figures}${disturbed}`;
}
