import { AppError } from "../../src/core/errors.ts";
import { traceId } from "../../src/core/ids.ts";
import type { AskRequest, IngestRequest, Operations, SourceReport, SourceRequest, SourceRunReport } from "../../src/operations.ts";

/** Operations that answer from a script and remember what they were asked. */
export class CannedOperations implements Operations {
  readonly asked: AskRequest[] = [];
  readonly ingested: IngestRequest[] = [];
  readonly addedSources: SourceRequest[] = [];
  aborted = false;
  /** While set, `ask` waits until it is aborted. */
  hang = false;

  ask: Operations["ask"] = async (request, sink, signal) => {
    this.asked.push(request);
    if (request.workspace !== "acme") throw new AppError("WORKSPACE_UNKNOWN", request.workspace);
    if (this.hang)
      await new Promise<void>((resolve) =>
        signal.addEventListener("abort", () => {
          this.aborted = true;
          resolve();
        }),
      );
    await sink.write({ type: "answer-start", traceId: traceId("t-1") });
    await sink.write({ type: "tool-start", call: { id: "1", name: "query_documents", params: {} }, label: "Searching" });
    await sink.write({ type: "text-delta", text: "Eighteen " });
    await sink.write({ type: "text-delta", text: "weeks [1]." });
    await sink.write({ type: "answer-end", text: "Eighteen weeks [1].", outcome: "answered" });
    return {
      status: "answered",
      answer: "Eighteen weeks [1].",
      citations: [{ n: 1, title: "Handbook", page: 2, url: "http://127.0.0.1/sources/x", quote: "18 weeks" }],
      tools: [{ name: "query_documents", status: "success", ms: 3 }],
      traceId: "t-1",
    };
  };

  ingest: Operations["ingest"] = async (request, onProgress) => {
    this.ingested.push(request);
    onProgress({ done: 1, total: 2, path: "a.md" });
    onProgress({ done: 2, total: 2, path: "b.pdf" });
    return {
      files: [
        { path: "a.md", status: "added", passages: 3 },
        { path: "b.pdf", status: "failed", passages: 0, reason: "The document holds no text." },
      ],
      ms: 12,
    };
  };

  loginLink: Operations["loginLink"] = async ({ server, as }) => ({ url: `https://footnote.test/login/${server}/${as}` });

  logOut: Operations["logOut"] = async ({ server }) => server === "calendar";

  personTools: Operations["personTools"] = async () => [{ name: "echo", description: "Says it again.", inputSchema: { type: "object" } }];

  callPersonTool: Operations["callPersonTool"] = async ({ tool, arguments: args }, onProgress) => {
    if (tool !== "echo") throw new AppError("CALL_INVALID", "There is no such tool.");
    onProgress({ step: 1, of: 2, words: "half way" });
    return { content: [{ type: "text", text: JSON.stringify(args) }] };
  };

  trace: Operations["trace"] = async (id) => {
    if (id !== "t-1") throw new AppError("NOT_FOUND");
    return { workspace: "acme", trace: { id } };
  };

  workspaces: Operations["workspaces"] = async () => [{ name: "acme", slackTeamId: "T1", status: "active" }];

  removeWorkspace: Operations["removeWorkspace"] = async () => undefined;
  addWorkspace: Operations["addWorkspace"] = async ({ name }) => ({ name: name ?? "acme", slackTeamId: "T1", status: "active" });

  addKey: Operations["addKey"] = async ({ workspace, as, name = "key" }) => ({ id: "k-1", workspace, person: as, name, key: "fnk_x.y" });

  keys: Operations["keys"] = async (workspace = "acme") => [
    {
      id: "k-1",
      workspace,
      person: "alice",
      name: "laptop",
      audience: "api" as const,
      expiresAt: null,
      createdAt: "2026-11-30T12:00:00.000Z",
      lastUsedAt: null,
      revokedAt: null,
    },
  ];

  feedback: Operations["feedback"] = async ({ limit }) => ({
    answers: [
      {
        ...{ trace: "6d1ef6b5-0000-4000-8000-000000000000", channel: "general", answeredAt: "2026-03-02T10:00:00.000Z", up: 1, down: 2 },
        comments: [{ person: "bob", text: `Wrong\nyear (of ${limit})` }],
      },
    ],
    total: 3,
  });
  templates: Operations["templates"] = async () => [
    { name: "general", title: "General assistant", version: 0, model: null, reply: "thread" },
  ];

  exportTemplate: Operations["exportTemplate"] = async ({ name }) => ({ version: 1, yaml: `name: ${name}\ntitle: Support\n` });

  applyTemplate: Operations["applyTemplate"] = async ({ yaml, check = false }) => {
    if (!yaml.includes("name:")) throw new AppError("TEMPLATE_INVALID", "\n- line 1: name is missing.");
    return {
      name: "support",
      title: "Support",
      version: 1,
      model: null,
      reply: "thread",
      ...(check ? changed : { status: "added", diff: [] }),
    };
  };

  useTemplate: Operations["useTemplate"] = async ({ name, channel }) => ({ name, channel, status: "changed" });

  mendFullText: Operations["mendFullText"] = async () => [{ workspace: "acme", rewritten: 1, removed: 0, prepared: true }];

  embedders: Operations["embedders"] = async () => [
    { name: "built-in", dimensions: 512, status: "available", passages: 10, embedded: 10, indexed: true },
    { name: "small", dimensions: 384, status: "in use", passages: 10, embedded: 10, indexed: true },
  ];

  useEmbedder: Operations["useEmbedder"] = async (name) => [
    { name, dimensions: 384, status: "preparing", passages: 10, embedded: 4, indexed: true },
  ];

  forgetEmbedder: Operations["forgetEmbedder"] = async (name) => [
    { name, dimensions: 512, status: "available", passages: 10, embedded: 0, indexed: true },
  ];

  flags: Operations["flags"] = async () => [
    { flag: "beta", set: true, tools: ["new_thing"] },
    { flag: "old", set: true, tools: [] },
    { flag: "slack-search", set: false, tools: ["search_slack"] },
  ];

  setFlag: Operations["setFlag"] = async ({ flag, set }) => ({ flags: set ? [flag] : [] });

  externalTools: Operations["externalTools"] = async () => ({
    servers: [
      { name: "tracker", problem: null, leftOut: [{ name: "bad", reason: "its definition is too long" }] },
      { name: "files", problem: "The external server cannot be reached.", leftOut: [] },
    ],
    tools: [
      { name: "tracker__find", server: "tracker", status: "new", effect: null, fingerprint: "0123456789ab", text: '  "name": "find"' },
      { name: "tracker__add", server: "tracker", status: "changed", effect: "side-effect", fingerprint: "ba9876543210", text: "+ new" },
    ],
  });

  decideExternal: Operations["decideExternal"] = async ({ tools }) => Object.keys(tools).filter((name) => name === "tracker__find");

  ownServers: Operations["ownServers"] = async () => {
    const yaml = (name: string) => `servers:\n  ${name}:\n    url: https://${name}.example/mcp\n`;
    const server = (name: string, problem: string | null) => ({
      ...{ name, title: name, url: `https://${name}.example/mcp`, access: "header" as const, problem, yaml: yaml(name) },
    });
    return [server("tracker", null), server("crm", "Its header has no value any more: give it anew.")];
  };

  applyServers: Operations["applyServers"] = async ({ yaml }) => {
    if (yaml.includes("command")) throw new AppError("SERVERS_INVALID", "\n- servers.x: command is nothing that a workspace's server has.");
    return [
      { name: "tracker", status: "changed", diff: ["- old", "+ new"] },
      { name: "crm", status: "unchanged", diff: [] },
    ];
  };

  removeServer: Operations["removeServer"] = async ({ name }) => {
    if (name !== "tracker") throw new AppError("MCP_SERVER_UNKNOWN");
  };

  diagnose: Operations["diagnose"] = async () => [{ name: "Database", status: "ok", summary: "It answers." }];

  revokeKey: Operations["revokeKey"] = async (id) => {
    if (id !== "k-1") throw new AppError("KEY_UNKNOWN");
  };

  sources: Operations["sources"] = async () => [cannedSource];

  addSource: Operations["addSource"] = async (request) => {
    this.addedSources.push(request);
    return cannedSource;
  };

  syncSource: Operations["syncSource"] = async ({ name }) => {
    if (name !== "handbook") throw new AppError("SOURCE_UNKNOWN");
    return cannedRun;
  };

  removeSource: Operations["removeSource"] = async ({ name }) => ({ name, documents: 3 });
}

const cannedRun: SourceRunReport = {
  startedAt: "2026-11-30T09:30:00.000Z",
  ms: 1_240,
  status: "partial",
  ...{ added: 2, changed: 0, moved: 1, removed: 0, unchanged: 7, failed: 1 },
  notes: [],
};
const cannedSource: SourceReport = {
  name: "handbook",
  kind: "folder",
  address: "/srv/handbook",
  everyMinutes: 360,
  documents: 10,
  failures: [{ item: "scan.pdf", reason: "No text was found in it." }],
  lastRun: cannedRun,
};

const changed = { status: "changed", diff: ["- title: Help", "+ title: Support"] } as const;
