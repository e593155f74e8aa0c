import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

/** A program in a process of its own, so that a test can kill it. */
export interface ChildProgram {
  readonly pid: number;
  /** Lines it has written so far. */
  readonly lines: readonly string[];
  /** Resolves with the first line that begins so; rejects when the program ends without one. */
  line(start: string): Promise<string>;
  /** Writes a line to it. */
  say(line: string): void;
  /** kill -9, and waits until it is gone. */
  kill(): Promise<void>;
  readonly ended: Promise<number | null>;
}

const compiled = fileURLToPath(new URL("../../dist/src/", import.meta.url));

const running = new Set<ChildProgram>();

/** Kills what a test has left running; for afterEach. */
export async function killPrograms(): Promise<void> {
  for (const program of running) await program.kill();
}

/** Runs an ES module given as text; `at("store/database.js")` in it imports a compiled module of src. */
export function startProgram(text: string, environment: Readonly<Record<string, string>> = {}): ChildProgram {
  const at = `const at = (path) => import(${JSON.stringify(`file://${compiled}`)} + path);\n`;
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, ["--input-type=module", "-e", at + text], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env.PATH ?? "", ...environment },
  });
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  const ended = once(child, "exit").then(([code]) => code as number | null);
  const program: ChildProgram = {
    pid: child.pid ?? 0,
    lines,
    line: (start) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => line.startsWith(start));
          if (found !== undefined) resolve(found);
        };
        look();
        reader.on("line", look);
        reader.once("close", () => reject(new Error(`It ended without "${start}": ${lines.join(" / ")}`)));
      }),
    say: (line) => void child.stdin.write(`${line}\n`),
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
    ended,
  };
  running.add(program);
  void ended.then(() => running.delete(program));
  return program;
}
