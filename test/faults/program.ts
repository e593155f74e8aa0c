import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../playground/server/seed.ts";
import { makeTestDataFolder } from "../fakes/data-folder.ts";
import { placeDatabase } from "../fakes/migrated-template.ts";

/** The program as an operator starts it, in a process of its own that a test may kill. */
export class Program {
  readonly #env: NodeJS.ProcessEnv;
  readonly home: string;
  #child: ChildProcess | undefined;

  private constructor(home: string, env: NodeJS.ProcessEnv) {
    this.home = home;
    this.#env = env;
  }

  /** Connected to a fake Slack over Socket Mode as it would be to Slack; on its own embedded database unless an address is given. */
  static async prepare(slack: FakeSlack, more: Readonly<Record<string, string>> = {}): Promise<Program> {
    const home = await makeTestDataFolder("footnote-program-");
    if (!more.DATABASE_URL) await placeDatabase(home);
    const [acme] = defaultSeed.workspaces;
    return new Program(home, {
      PATH: process.env.PATH,
      FOOTNOTE_HOME: home,
      FOOTNOTE_PORT: "0",
      FOOTNOTE_LOG_LEVEL: "warn",
      SLACK_API_URL: slack.apiUrl,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_BOT_TOKEN: slack.workspace(acme?.name ?? "").botToken,
      ...more,
    });
  }

  /** Resolves when it takes questions. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ["dist/src/main.js", "start"], { env: this.#env, stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      let said = "";
      child.stdout.on("data", (piece: Buffer) => {
        said += piece.toString();
        if (said.includes("is ready")) resolve();
      });
      child.once("exit", (code) => reject(new Error(`It ended with ${code}: ${said}`)));
    });
  }

  /** A command in a process of its own, as at a second terminal. */
  async command(...args: readonly string[]): Promise<{ readonly code: number | null; readonly out: string }> {
    const child = spawn(process.execPath, ["dist/src/main.js", ...args], { env: this.#env, stdio: ["ignore", "pipe", "inherit"] });
    let out = "";
    child.stdout.on("data", (piece: Buffer) => {
      out += piece.toString();
    });
    const [code] = (await once(child, "close")) as [number | null];
    return { code, out };
  }

  /** As a crash or the kernel does it: no time to say goodbye. */
  kill(): Promise<void> {
    return this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    await rm(this.home, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
}
