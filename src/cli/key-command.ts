import { type Command, InvalidArgumentError, Option } from "commander";
import type { KeyReport, KeyRequest, Operations } from "../operations.ts";
import type { Output } from "./terminal-sink.ts";

/** What a group of commands needs of the command line. */
export interface CommandParts {
  readonly out: Output;
  /** Runs with the operations of the running program, or of one opened for this command. */
  using(work: (operations: Operations) => Promise<void>): Promise<void>;
  printJson(value: unknown): void;
}

/** `footnote key add|list|revoke`: keys for the HTTP door. */
export function addKeyCommands(program: Command, { out, using, printJson }: CommandParts): void {
  const key = program.command("key").description("make, list and revoke keys for questions over HTTP");
  key
    .command("add")
    .description("make a key with which programs ask as one person; it is printed once and kept as a hash")
    .requiredOption("--workspace <name>", "the workspace")
    .requiredOption("--as <person>", "whose rights the answers draw on")
    .option("--name <name>", "what it is for, e.g. laptop")
    .addOption(
      new Option("--for <door>", "questions over HTTP (api), or calls of tools over MCP (mcp)").choices(["api", "mcp"]).default("api"),
    )
    .addOption(new Option("--days <days>", "after how many days it ends by itself").argParser(days))
    .option("--json", "print one JSON object")
    .action(({ json, for: audience, ...request }: Omit<KeyRequest, "audience"> & { for: "api" | "mcp"; json?: boolean }) =>
      using(async (operations) => {
        const added = await operations.addKey({ ...request, audience });
        if (json) return printJson(added);
        out.write(`${added.key}\n\nKeep it: it is not shown again. It asks as ${added.person} in ${added.workspace}.\n`);
        out.write(`To end it: footnote key revoke ${added.id}\n`);
      }),
    );
  key
    .command("list")
    .description("list keys, never their secrets")
    .option("--workspace <name>", "of this workspace only")
    .option("--json", "print one JSON object")
    .action(({ json, workspace }: { workspace?: string; json?: boolean }) =>
      using(async (operations) => {
        const keys = await operations.keys(workspace);
        if (json) return printJson({ keys });
        out.write(keys.length > 0 ? keys.map(line).join("") : "No keys. Make one: footnote key add --workspace <name> --as <person>\n");
      }),
    );
  key
    .command("revoke")
    .description("end a key at once")
    .argument("<id>", "its id, as the list shows it")
    .option("--json", "print one JSON object")
    .action((id: string, { json }: { json?: boolean }) =>
      using(async (operations) => {
        await operations.revokeKey(id);
        if (json) return printJson({ id, status: "revoked" });
        out.write("Revoked.\n");
      }),
    );
}

function days(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError("It must be from 1 to 9999.");
  return Number(text);
}

function line({ id, workspace, person, name, audience, createdAt, expiresAt, lastUsedAt, revokedAt }: KeyReport): string {
  const state = revokedAt ? `revoked ${day(revokedAt)}` : lastUsedAt ? `last used ${day(lastUsedAt)}` : "never used";
  const until = expiresAt ? `, until ${day(expiresAt)}` : "";
  return `${id}  ${workspace}  ${person}  ${audience}  ${name}  made ${day(createdAt)}${until}, ${state}\n`;
}

const day = (iso: string): string => iso.slice(0, 10);
