import { styleText } from "node:util";
import type { Command } from "commander";
import type { Check } from "../core/check.ts";
import type { Output } from "./terminal-sink.ts";

/** Width of what is printed where the terminal does not tell its own, in characters. */
const usualWidth = 100;
/** Longer lines are hard to read, however wide the terminal. */
const widest = 110;

const marks = { ok: "✓", warning: "!", failed: "✗" } as const;
const colours = { ok: "green", warning: "yellow", failed: "red" } as const;

export interface DoctorParts {
  readonly out: Output;
  /** Every check there is; never throws. */
  doctor(): Promise<readonly Check[]>;
  printJson(value: unknown): void;
  /** Called when something failed. */
  onFailed(): void;
}

/** `footnote doctor`: what is missing and how to mend it. */
export function addDoctorCommand(program: Command, { out, doctor, printJson, onFailed }: DoctorParts): void {
  program
    .command("doctor")
    .description("check database, keys, disk, embedder, model, plugins and Slack, and say how to mend what is broken")
    .option("--json", "print one JSON object")
    .action(async ({ json }: { json?: boolean }) => {
      const checks = await doctor();
      const status = checks.some((check) => check.status === "failed") ? "failed" : "ok";
      if (status === "failed") onFailed();
      if (json) printJson({ status, checks });
      else out.write(checksForPeople(checks, { colour: out.hasColors?.() ?? false, width: Math.min(out.columns ?? usualWidth, widest) }));
    });
}

/** A line a check, what to do about it below, the sum at the end. */
export function checksForPeople(checks: readonly Check[], { colour, width }: { readonly colour: boolean; readonly width: number }): string {
  const paint = (format: Parameters<typeof styleText>[0], text: string) =>
    colour ? styleText(format, text, { validateStream: false }) : text;
  const names = Math.max(0, ...checks.map(({ name }) => name.length));
  const indent = " ".repeat(names + 6);
  const lines = checks.map(({ name, status, summary, mend }) => {
    const head = `  ${paint(colours[status], marks[status])} ${paint("bold", name.padEnd(names))}  `;
    const said = wrap(summary, width - indent.length).join(`\n${indent}`);
    const todo = wrap(mend ?? "", width - indent.length - 2).join(`\n${indent}  `);
    return `${head}${said}\n${mend ? `${indent}${paint(colours[status], "→")} ${todo}\n` : ""}`;
  });
  const count = (wanted: Check["status"]) => checks.filter(({ status }) => status === wanted).length;
  const sum = [
    `${count("ok")} ok`,
    paint(count("warning") > 0 ? "yellow" : "reset", `${count("warning")} to look at`),
    paint(count("failed") > 0 ? "red" : "reset", `${count("failed")} failed`),
  ];
  return `\n${lines.join("")}\n  ${sum.join(", ")}\n\n`;
}

/** Lines of at most `width` characters, broken between words; line breaks of the text stay. */
function wrap(text: string, width: number): string[] {
  return text
    .trim()
    .split("\n")
    .flatMap((paragraph) => {
      const lines = [""];
      for (const word of paragraph.split(" ")) {
        const line = lines.at(-1) ?? "";
        if (line !== "" && line.length + 1 + word.length > width) lines.push(word);
        else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
      }
      return lines;
    });
}
