// A made-up MCP server without any library, so that it can misbehave. Its first argument names what it does wrong, or nothing.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , manner = "", option = ""] = process.argv;
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value) => ({ content: [{ type: "text", text: String(value) }] });
const noise = () => {
  process.stdout.write('Server v1.2 started\n[Breadcrumb] {\n  message: \'x\'\n}\n{"level":30}\n{"jsonrpc":"2.0"}\n');
  process.stderr.write("a canary-secret in the errors\n");
};

if (manner === "crash") process.exit(1);
if (manner === "noise") noise();

const tool = (name, properties = {}) => ({ name, description: `Does ${name}.`, inputSchema: { type: "object", properties } });
const names = ["echo", "env", "look", "slow", "big", "hang", "die", "fork", "memory", "flood", "disk", "orphan", "whoami", "net"];
if (manner === "asks") names.push("sample", "elicit");
let tools = names.map((name) => tool(name, { value: { type: "string" } }));

const readable = (path) => {
  try {
    return existsSync(path) ? readFileSync(path, "latin1") : "absent";
  } catch (error) {
    return `refused ${error.code}`;
  }
};

/** Requests of its own that wait for their answers. */
const waiting = new Map();
const ask = (method, params) =>
  new Promise((resolve) => {
    const id = `q${waiting.size}`;
    waiting.set(id, resolve);
    write({ id, method, params });
  });

const calls = {
  // Wants the other side's model to write something, or its person to answer something, and says what came of it.
  sample: async ({ value }) => {
    const messages = [{ role: "user", content: { type: "text", text: String(value) } }];
    return text(JSON.stringify(await ask("sampling/createMessage", { messages, maxTokens: 100, includeContext: "allServers" })));
  },
  elicit: async ({ value }) => {
    const properties = { note: { type: "string", default: "as proposed" } };
    const params = { message: String(value), requestedSchema: { type: "object", properties } };
    return text(JSON.stringify(await ask("elicitation/create", params)));
  },
  echo: ({ value }) => text(value),
  env: () => text(JSON.stringify(process.env)),
  whoami: () => text(process.env.TOKEN ?? "nobody"),
  // Everything of its surroundings that a thief would look at.
  look: ({ value }) => {
    const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    return text(
      JSON.stringify({
        processes: processes.length,
        environments: processes.map((pid) => readable(`/proc/${pid}/environ`)),
        files: Object.fromEntries(
          String(value)
            .split("\n")
            .map((path) => [path, readable(path)]),
        ),
        open: readdirSync("/proc/self/fd").length,
        cwd: process.cwd(),
      }),
    );
  },
  big: ({ value }) => text("x".repeat(Number(value))),
  hang: () => new Promise(() => {}),
  die: () => process.exit(1),
  fork: () => {
    // Enough for the limit of a program, too few to hold up the machine that the tests run on.
    spawn("/bin/sh", ["-c", "for n in $(seq 400); do sleep 300 & done; wait"], { stdio: "ignore" });
    return new Promise(() => {});
  },
  memory: () => {
    const kept = [];
    setInterval(() => kept.push(Buffer.alloc(32 * 1024 * 1024, kept.length)), 10);
    return new Promise(() => {});
  },
  flood: () => {
    const line = "y".repeat(1024 * 1024);
    const more = () => process.stdout.write(line, () => setImmediate(more));
    more();
    return new Promise(() => {});
  },
  disk: ({ value }) => {
    try {
      for (let at = 0; at < 40; at++) writeFileSync(`${value}/file`, Buffer.alloc(16 * 1024 * 1024), { flag: "a" });
      return text("written");
    } catch (error) {
      return text(`refused ${error.code}`);
    }
  },
  // A program that would outlive its server.
  orphan: ({ value }) => {
    spawn("/bin/sh", ["-c", "sleep 600; :", value], { detached: true, stdio: "ignore" }).unref();
    return text("started");
  },
  net: async ({ value }) => {
    try {
      return text((await fetch(value)).status);
    } catch (error) {
      return text(`refused ${error.cause?.code}`);
    }
  },
};

/** Tools in pages: "pages" gives 120 in three, "endless" repeats its only page for ever. */
function list({ cursor }) {
  if (manner === "endless") return { tools: tools.slice(0, 6), nextCursor: "x" };
  if (manner !== "pages") return { tools };
  const from = Number(cursor ?? 0);
  const all = Array.from({ length: 120 }, (_, at) => tool(`tool_${at}`));
  return { tools: all.slice(from, from + 50), ...(from + 50 < all.length && { nextCursor: String(from + 50) }) };
}

async function answer({ id, method, params = {} }) {
  if (method === "initialize") {
    if (manner === "exits-on-probe" && option) writeFileSync(option, "started");
    return {
      protocolVersion: /^\d{4}-/.test(option) ? option : params.protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: "fixture", version: "1" },
    };
  }
  if (method === "tools/list") return list(params);
  if (method !== "tools/call") throw { code: -32601, message: "Method not found" };
  const { name, arguments: args = {}, _meta } = params;
  if (manner === "noise") noise();
  if (name === "slow") return slow(args, _meta?.progressToken);
  if (name === "change") return change();
  return calls[name](args, id);
}

/** `value`: how often it tells of progress before it ends. */
async function slow({ value, at_once: atOnce }, progressToken) {
  for (let progress = 1; progress <= Number(value); progress++) {
    write({ method: "notifications/progress", params: { progressToken, progress, total: Number(value), message: "row" } });
    if (!atOnce) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return text("done");
}

function change() {
  tools = tools.map((one) => ({ ...one, description: `${one.description} Now.` }));
  write({ method: "notifications/tools/list_changed" });
  return text("changed");
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const message = JSON.parse(line);
  if (manner === "exits-on-probe" && message.method === "server/discover") process.exit(3);
  if (manner === "silent-on-probe" && message.method === "server/discover") return;
  if (message.method === undefined) return waiting.get(message.id)?.(message.result ?? message.error);
  if (message.id === undefined) {
    if (message.method === "notifications/cancelled" && option) writeFileSync(option, "cancelled");
    return;
  }
  try {
    write({ id: message.id, result: await answer(message) });
  } catch (error) {
    write({ id: message.id, error: error.code ? error : { code: -32603, message: String(error) } });
  }
});
process.stdin.on("end", () => process.exit(0));
