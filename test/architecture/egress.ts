import type { SourceFile } from "./source-file.ts";

/**
 * Who may open connections beside safe-fetch, and why that is no way to a host that somebody named: each goes to an endpoint that the
 * operator has set, or to none. Whatever else wants out takes a SafeFetch.
 */
const doors: readonly { readonly path: string; readonly why: string }[] = [
  { path: "src/safe-fetch/", why: "the way out itself" },
  { path: "src/core/light-fetch.ts", why: "the operator's model endpoint, and Slack's Web API" },
  { path: "src/agent/model/check-model.ts", why: "the operator's model endpoint" },
  { path: "src/bot/workspace/check-slack.ts", why: "Slack's Web API" },
  { path: "src/bot/commands/response-url.ts", why: "Slack's host alone, which it checks" },
  { path: "src/cli/control-client.ts", why: "a socket in the data folder" },
  { path: "src/knowledge/embedder/onnx/install-model.ts", why: "the host of models that the operator names on the command line" },
  { path: "src/knowledge/ingest/reader/no-network.ts", why: "takes the network away" },
];

/** Everything in src that opens connections and is no door, as "file: what". */
export const egressViolations = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => path.startsWith("src/") && !doors.some((door) => path.startsWith(door.path)))
    .flatMap(({ path, opensConnections }) => opensConnections.map((what) => `${path}: ${what}; take a SafeFetch (src/safe-fetch/port.ts)`));

/** Doors that lead nowhere any more. */
export const unusedDoors = (files: readonly SourceFile[]): string[] =>
  doors.map(({ path }) => path).filter((path) => !files.some((file) => file.path.startsWith(path) && file.opensConnections.length > 0));
