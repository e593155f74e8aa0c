import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface RunningProgram {
  /** Of the playground's page; ends in /. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts the program as `npm start` does, with a data folder and settings of its own, and resolves when it is ready. */
export function startProgram(settings: NodeJS.ProcessEnv = {}): Promise<RunningProgram> {
  const home = mkdtempSync(join(tmpdir(), "footnote-"));
  // Nothing of this machine's own settings: only what a test gives.
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, FOOTNOTE_HOME: home, FOOTNOTE_PORT: "0", FOOTNOTE_PLAYGROUND_PORT: "0", ...settings };
  const program = spawn(process.execPath, ["dist/src/main.js", "start"], { env, stdio: ["ignore", "pipe", "ignore"] });
  const ended = new Promise<void>((resolve) => program.once("exit", () => resolve()));
  const stop = async () => {
    program.kill("SIGTERM");
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
  return new Promise((resolve, reject) => {
    let said = "";
    program.stdout.on("data", (piece: Buffer) => {
      said += piece.toString();
      const address = /Open (http:\S+)/.exec(said)?.[1];
      if (address) resolve({ address, stop });
    });
    void ended.then(() => {
      rmSync(home, { recursive: true, force: true });
      reject(new Error(`The program ended by itself: ${said}`));
    });
  });
}
