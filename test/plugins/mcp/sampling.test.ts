import { createMcpHandler, fromJsonSchema, inputRequired, McpServer as Server } from "@modelcontextprotocol/server";
import type { WritingRequest, Written } from "../../../src/plugins/contract.ts";
import type { Asker } from "../../../src/plugins/mcp/elicitation.ts";
import { writingFor } from "../../../src/plugins/mcp/sampling.ts";
import type { McpServer } from "../../../src/plugins/mcp/server.ts";
import { closeAll, connectionTo, programServer } from "./fixture.ts";

afterEach(closeAll);

type Request = Parameters<typeof writingFor>[0];
const request = (params: object): Request => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: "Sum it up." } }], maxTokens: 100, ...params } as Request["params"],
});

/** Somebody who lets each text be written, or none; what they were asked is kept. */
function person(given: Written | undefined) {
  const seen: WritingRequest[] = [];
  const asker: Asker = {
    writeFor: async (asked) => {
      seen.push(asked);
      return given;
    },
  };
  return { seen, asker };
}

const written = { text: "In short.", complete: true };

/** A server of the later era, which puts what it wants into the answer to the call. */
function modern(): { readonly server: McpServer; fetch(url: string | URL, init?: RequestInit): Promise<Response> } {
  const make = () => {
    const made = new Server({ name: "remote", version: "1" });
    const inputSchema = fromJsonSchema<{ value: string }>({ type: "object", properties: { value: { type: "string" } } });
    made.registerTool("sample", { inputSchema }, async ({ value }, context) => {
      const { inputResponses } = context.mcpReq;
      if (inputResponses) return { content: [{ type: "text", text: JSON.stringify(inputResponses.text) }] };
      const messages = [{ role: "user" as const, content: { type: "text" as const, text: value } }];
      return inputRequired({ inputRequests: { text: inputRequired.createMessage({ messages, maxTokens: 100 }) } });
    });
    return made;
  };
  const handler = createMcpHandler(make, { legacy: "reject" });
  return {
    server: { ...programServer(), name: "remote", transport: { kind: "http", url: "https://mcp.example/api", headers: {} } },
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  };
}

describe.each([
  ["a program of the earlier era", () => connectionTo(programServer(["asks"], { more: { sampling: true } }))],
  [
    "a server of the later era",
    () => {
      const { server, fetch } = modern();
      return connectionTo({ ...server, sampling: true }, { fetch });
    },
  ],
] as const)("%s wants a model to write something in the middle of a call", (_era, open) => {
  const sample = async (asker: Asker) => {
    const { content } = await open().call(
      { name: "sample", description: "", inputSchema: {} },
      { value: "Sum it up." },
      { signal: new AbortController().signal, progress: () => undefined, asker },
    );
    return (content as { text: string }[])[0]?.text ?? "";
  };

  test("and gets what its asker has allowed, and neither the model's name nor anything of the conversation", async () => {
    const { seen, asker } = person(written);
    expect(JSON.parse(await sample(asker))).toEqual({
      ...{ role: "assistant", content: { type: "text", text: "In short." } },
      ...{ model: "footnote", stopReason: "endTurn" },
    });
    expect(seen).toEqual([{ messages: [{ role: "user", content: "Sum it up." }], maxTokens: 100 }]);
  });

  test("and gets nothing when they say no, or when nobody can be asked", async () => {
    const refused = async (asker: Asker) => sample(asker).catch((thrown: Error) => thrown.message);
    expect(await refused(person(undefined).asker)).toContain("Nobody has allowed it.");
    expect(await refused({})).toContain("Nobody has allowed it.");
  });
});

test("a server that the operator has not released for it is not offered it, and is refused when it asks all the same", async () => {
  const { seen, asker } = person(written);
  const { content } = await connectionTo(programServer(["asks"])).call(
    { name: "sample", description: "", inputSchema: {} },
    { value: "Sum it up." },
    { signal: new AbortController().signal, progress: () => undefined, asker },
  );
  expect(JSON.stringify(content)).toContain("-32601");
  expect(seen).toEqual([]);
});

test.each([
  ["an image", { messages: [{ role: "user", content: { type: "image", data: "AAAA", mimeType: "image/png" } }] }],
  ["tools", { tools: [{ name: "search", inputSchema: { type: "object" } }] }],
  ["no message", { messages: [] }],
  ["more messages than anybody reads", { messages: Array(51).fill({ role: "user", content: { type: "text", text: "x" } }) }],
])("what comes with %s is refused, and nobody is asked", async (_what, params) => {
  const { seen, asker } = person(written);
  await expect(writingFor(request(params), new Set([asker]))).rejects.toMatchObject({ code: -32602 });
  expect(seen).toEqual([]);
});

test("T08: nobody is asked when it is not clear whose call it belongs to", async () => {
  const [alice, bob] = [person(written), person(written)];
  await expect(writingFor(request({}), new Set([alice.asker, bob.asker]))).rejects.toMatchObject({ code: -1 });
  expect([...alice.seen, ...bob.seen]).toEqual([]);
});

test("a text that was cut at its length says so; the server's own instructions and several parts go along", async () => {
  const { seen, asker } = person({ text: "In sh", complete: false });
  const parts = [
    { type: "text", text: "One." },
    { type: "text", text: "Two." },
  ];
  const asks = request({ systemPrompt: "Be brief.", messages: [{ role: "user", content: parts }], includeContext: "allServers" });
  expect(await writingFor(asks, new Set([asker]))).toMatchObject({ stopReason: "maxTokens" });
  expect(seen).toEqual([{ system: "Be brief.", messages: [{ role: "user", content: "One.\n\nTwo." }], maxTokens: 100 }]);
});
