// The server that offers this program's tools, with made-up tools in their place, for the conformance suite to call. Prints its address.

import { MissingRequiredClientCapabilityError } from "@modelcontextprotocol/server";

const at = (path) => import(new URL(`../../dist/src/${path}`, import.meta.url));
const [{ mcpEndpoint }, { toolServer }, { BadCall }, { startHttpServer }, { silentLogger }] = await Promise.all(
  ["api/mcp/http-endpoint.js", "api/mcp/tool-server.js", "agent/tools/hosted-tools.js", "api/http-server.js", "core/logger.js"].map(at),
);

/** One red pixel, and a tenth of a second of silence. */
const image = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const audio = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";
const text = (words) => ({ type: "text", text: words });
const picture = { type: "image", data: image, mimeType: "image/png" };
const resource = { type: "resource", resource: { uri: "test://embedded", mimeType: "text/plain", text: "An embedded resource." } };

const results = {
  test_simple_text: async () => [text("This is a simple text response for testing.")],
  test_image_content: async () => [picture],
  test_audio_content: async () => [{ type: "audio", data: audio, mimeType: "audio/wav" }],
  test_embedded_resource: async () => [resource],
  test_multiple_content_types: async () => [text("Several parts:"), picture, resource],
  test_tool_with_progress: async (progress) => {
    for (const step of [1, 2, 3]) progress(step, 3, `step ${step}`);
    return [text("Done.")];
  },
  json_schema_2020_12_tool: async () => [text("ok")],
  // No tool here needs anything of its caller; these are there to be seen not to.
  test_streaming_elicitation: async (progress) => {
    progress(1, 2, "half way");
    return [text("Nothing was asked.")];
  },
  test_logging_tool: async () => [text("Nothing was logged.")],
  test_missing_capability: async () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
};

const schema2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const tools = [...Object.keys(results), "test_error_handling"].sort().map((name) => ({
  name,
  description: `The fixture ${name}.`,
  inputSchema: name === "json_schema_2020_12_tool" ? schema2020 : { type: "object", properties: {} },
}));

const host = {
  list: async () => tools,
  call: async ({ name, progress }) => {
    if (name === "test_error_handling") return { content: [text("This tool intentionally returns an error for testing")], isError: true };
    if (!Object.hasOwn(results, name)) throw new BadCall(`There is no tool ${name}.`);
    return { content: await results[name](progress) };
  },
};

/** The program's own server with lists that no tool of it needs, but the suite wants to see. */
function makeServer() {
  const server = toolServer({ name: "footnote", title: "Footnote", instructions: "Made-up tools." }, host);
  server.registerCapabilities({ prompts: {}, resources: {} });
  server.setRequestHandler("prompts/list", async () => ({ prompts: [] }));
  server.setRequestHandler("resources/list", async () => ({ resources: [] }));
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: [] }));
  return server;
}

let url = "";
const handle = mcpEndpoint({ url: () => url, serverFor: async () => makeServer });
const route = { method: "POST", path: "/mcp", policy: "public", handle };
const server = await startHttpServer([route], { host: "127.0.0.1", port: 0, log: silentLogger });
url = `${server.url}/mcp`;
process.stdout.write(`${url}\n`);
