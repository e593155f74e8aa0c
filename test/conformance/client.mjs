// The bot's own MCP client as the conformance suite calls it: with a server's address, and what is to be tried in the environment.

const at = (path) => import(new URL(`../../dist/src/${path}`, import.meta.url));
const [{ openSession }, { serverFetch }, { createSafeFetch }, { isLeftOut, readDefinition }, { systemClock }, { silentLogger }] =
  await Promise.all(
    [
      "plugins/mcp/client-session.js",
      "plugins/mcp/server-fetch.js",
      "safe-fetch/safe-fetch.js",
      "plugins/mcp/definition.js",
      "core/clock.js",
      "core/logger.js",
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
const safeFetch = createSafeFetch({ clock: systemClock, internalOrigins: [new URL(url).origin] });
const { signal } = new AbortController();
const session = await openSession({
  ...{ server, clock: systemClock, log: silentLogger, signal },
  fetch: serverFetch(transport, safeFetch),
  listChanged: () => undefined,
});
const tools = (await session.list(signal)).map(readDefinition).filter((tool) => tool && !isLeftOut(tool));
// One scenario wants to see that schemas are kept as they came: whoever has a parameter of that name gets the first tool's.
const argumentsOf = (tool) => (tool.inputSchema.properties?.schema ? { schema: tools[0].inputSchema } : argumentsFor(tool));
const wanted = context.toolCalls ?? tools.map((tool) => ({ name: tool.name, arguments: argumentsOf(tool) }));
for (const { name, arguments: args } of wanted) {
  const tool = tools.find((each) => each.name === name);
  if (!tool) continue;
  try {
    await session.call(tool, args ?? {}, { signal, totalMs: 20_000, onProgress: () => undefined });
  } catch (error) {
    process.stderr.write(`${scenario} ${name}: ${error.message}\n`);
  }
}
await session.close();
process.exit(0);
