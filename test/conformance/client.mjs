// The bot's own MCP client as the conformance suite calls it: with a server's address, and what is to be tried in the environment.

const at = (path) => import(new URL(`../../dist/src/${path}`, import.meta.url));
const [
  { openSession },
  { serverFetch },
  { createSafeFetch },
  { isLeftOut, readDefinition },
  { systemClock },
  { silentLogger },
  { PersonLogin },
  { LoginNeeded },
  { Secret },
] = await Promise.all(
  [
    "plugins/mcp/client-session.js",
    "plugins/mcp/server-fetch.js",
    "safe-fetch/safe-fetch.js",
    "plugins/mcp/definition.js",
    "core/clock.js",
    "core/logger.js",
    "plugins/mcp/login/person-login.js",
    "plugins/mcp/login/kept-login.js",
    "core/secret.js",
  ].map(at),
);

const url = process.argv.at(-1);
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? "";
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");

/** Arguments that fit a tool's schema, where the suite names none. */
function argumentsFor({ inputSchema }) {
  const properties = Object.entries(inputSchema.properties ?? {});
  return Object.fromEntries(properties.map(([name, { type, default: standard }]) => [name, standard ?? samples[type] ?? "text"]));
}
const samples = { number: 5, integer: 5, boolean: true, array: [], object: {} };

const transport = { kind: "http", url, headers: {} };
const server = {
  name: "conformance",
  title: "Conformance",
  workspaces: undefined,
  silenceMs: 20_000,
  totalMs: 25_000,
  effects: {},
  transport,
};
/** Every server of the suite is on this machine, at ports of its own. */
const fetches = new Map();
const fetchAt = (to, init) => {
  const { origin } = new URL(to);
  if (!fetches.has(origin)) fetches.set(origin, serverFetch(transport, createSafeFetch({ clock: systemClock, internalOrigins: [origin] })));
  return fetches.get(origin)(to, init);
};
const { signal } = new AbortController();

/** What is kept of the one log-in there is. */
let kept;
const logins = {
  find: async () => kept,
  save: async (_server, _person, secret) => {
    kept = secret;
  },
  saveHeld: async (_server, _person, secret) => {
    kept = secret;
    return true;
  },
  claimRenewal: async () => true,
  releaseRenewal: async () => undefined,
};
const { client_id: id, client_secret: secret } = context;
const rules = { issuer: undefined, scopes: [], ...(id && { client: { id, ...(secret && { secret: new Secret(secret) }) } }) };
const redirect = {
  redirectUrl: "http://localhost:3000/callback",
  clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
};
const login = scenario.startsWith("auth/")
  ? new PersonLogin({ server: "conformance", url, rules, person: "U1", logins, out: fetchAt, redirect, clock: systemClock })
  : undefined;

/** The person's browser: agrees to everything and comes back. */
async function logIn() {
  const { page, kept: begun } = await login.begin("state-of-the-test");
  const { headers } = await fetch(page, { redirect: "manual" });
  const back = new URL(headers.get("location")).searchParams;
  await login.finish(begun, { code: back.get("code"), iss: back.get("iss") ?? undefined });
}

/** As the bot does it: what needs a log-in waits for it, then goes on. */
async function withLogin(work) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof LoginNeeded) || attempt > 3) throw thrown;
      await logIn();
    }
  }
}

const session = await withLogin(() =>
  openSession({
    ...{ server, clock: systemClock, log: silentLogger, signal, fetch: fetchAt, listChanged: () => undefined },
    ...(login && { login }),
  }),
);
const tools = (await withLogin(() => session.list(signal))).map(readDefinition).filter((tool) => tool && !isLeftOut(tool));
// One scenario wants to see that schemas are kept as they came: whoever has a parameter of that name gets the first tool's.
const argumentsOf = (tool) => (tool.inputSchema.properties?.schema ? { schema: tools[0].inputSchema } : argumentsFor(tool));
const wanted = context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsOf(tool) }));
for (const { name, arguments: args } of wanted) {
  const tool = tools.find((each) => each.name === name);
  if (!tool) continue;
  try {
    await withLogin(() =>
      session.call(tool, args ?? {}, {
        signal,
        totalMs: 20_000,
        onProgress: () => undefined,
        asker: { confirm: async ({ values }) => values },
      }),
    );
  } catch (error) {
    process.stderr.write(`${scenario} ${name}: ${error.message}\n`);
  }
}
await session.close();
process.exit(0);
