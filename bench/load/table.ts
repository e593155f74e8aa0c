import { isVariant, variants } from "./footnote.ts";
import { type Goal, goals, losses, met, silent } from "./goals.ts";
import type { RunResult } from "./one-run.ts";

/** Runs by profile and bot. */
export type Results = Readonly<Record<string, Readonly<Record<string, readonly RunResult[]>>>>;

/** One figure: medians over the rounds, by bot. */
export interface Row {
  readonly figure: string;
  readonly unit: string;
  readonly goal: string;
  readonly values: Readonly<Record<string, number>>;
  /** By variant of Footnote. */
  readonly met: Readonly<Record<string, boolean>>;
}

/** The figures of all goals whose profile was run. */
export function rowsOf(results: Results): readonly Row[] {
  return goals.flatMap((goal) => {
    const runs = results[goal.profile];
    if (!runs) return [];
    const measured = Object.entries(runs).flatMap(([bot, of]) => {
      const value = median(of.map(goal.read).filter(Number.isFinite));
      return value === undefined || !concerns(goal, bot) ? [] : [[bot, rounded(value)] as const];
    });
    if (!measured.some(([bot]) => isVariant(bot))) return [];
    return [
      {
        figure: goal.label,
        unit: goal.unit,
        goal: goal.least === undefined ? `at most ${goal.most}` : `at least ${goal.least}`,
        values: Object.fromEntries(measured),
        met: Object.fromEntries(measured.filter(([bot]) => isVariant(bot)).map(([bot, value]) => [bot, met(goal, value)])),
      },
    ];
  });
}

/** What went wrong in Footnote's runs: how many answers of which load. Empty when nothing did. */
export function lossesOf(results: Results): readonly string[] {
  return Object.entries(results).flatMap(([profile, runs]) =>
    Object.entries(runs).flatMap(([bot, of]) =>
      isVariant(bot)
        ? losses.flatMap((kind) => {
            const count = (run: RunResult) => (kind === "lost" ? silent(run) : run[kind]);
            return of.flatMap((run) => (count(run) > 0 ? [`${profile}, ${bot}: ${count(run)} ${kind}`] : []));
          })
        : [],
    ),
  );
}

/** The rows as a Markdown table, a column a bot. */
export function markdown(rows: readonly Row[]): string {
  const bots = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const cell = (row: Row, bot: string) => {
    const value = row.values[bot];
    return value === undefined ? "" : `${value}${row.met[bot] === undefined ? "" : row.met[bot] ? "" : " (missed)"}`;
  };
  const lines = rows.map((row) => [row.figure, row.unit, ...bots.map((bot) => cell(row, bot)), row.goal]);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const head = ["figure", "unit", ...bots, "goal"];
  return [line(head), line(head.map((_, at) => (at < 2 || at === head.length - 1 ? "---" : "---:"))), ...lines.map(line)].join("\n");
}

function concerns({ only, floor }: Goal, bot: string): boolean {
  if (isVariant(bot)) return only === undefined || variants[bot].database === only;
  // Two floors are never compared in one row, except where the adaptive one is the measure.
  return bot !== "bare-adaptive" || floor === "bare-adaptive";
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

const rounded = (value: number): number => Number(value.toPrecision(3));
