import { describe, expect, test } from "@jest/globals";
import { closest, namedTools } from "../../src/permissions/named-tools.ts";

const all = [
  { name: "web_search", annotations: { title: "Search the web" } },
  { name: "read_web_page" },
  { name: "query_documents", annotations: { title: "Search the documents" } },
  { name: "fs__write_file" },
];
const read = (text: string) => {
  const { tools, unknown } = namedTools(text, all);
  return { tools: tools.map(({ name }) => name), unknown };
};

describe("tools as people name them", () => {
  test.each([
    ["web_search", ["web_search"]],
    ["Web-Search", ["web_search"]],
    ["`web_search`", ["web_search"]],
    ["web search", ["web_search"]],
    ["WEB  SEARCH", ["web_search"]],
    ["search the web", ["web_search"]],
    ["web_search query_documents", ["web_search", "query_documents"]],
    ["web search, query documents and read_web_page", ["web_search", "query_documents", "read_web_page"]],
    ["web search read web page", ["web_search", "read_web_page"]],
    ["web_search web_search", ["web_search"]],
    ["FS__write_file", ["fs__write_file"]],
    ["fs write file", ["fs__write_file"]],
  ])("%s", (text, tools) => expect(read(text)).toEqual({ tools, unknown: [] }));

  test.each([
    ["web_serch", "web_search"],
    ["querry documents", "query_documents"],
    ["documents", "query_documents"],
    ["write_file", "fs__write_file"],
    ["web", "web_search"],
  ])("%s is a slip for %s", (text, suggestion) => expect(read(text)).toEqual({ tools: [], unknown: [{ words: text, suggestion }] }));

  test.each(["weather", "x", "constructor", "__proto__", "the market for gardening"])("%s is nothing, and nothing is guessed", (text) =>
    expect(read(text)).toEqual({ tools: [], unknown: [{ words: text }] }),
  );

  test("known and unknown names are told apart", () =>
    expect(read("web_search and wether and query_documents")).toEqual({
      tools: ["web_search", "query_documents"],
      unknown: [{ words: "wether" }],
    }));

  test("nothing but marks names nothing", () => expect(read(" , `` ")).toEqual({ tools: [], unknown: [] }));
});

test("a guess needs most letters to be right", () => {
  expect(closest("web_search", ["web_search"])).toBe("web_search");
  expect(closest("wbe_search", ["web_search", "list_documents"])).toBe("web_search");
  expect(closest("web_page", ["web_search", "list_documents"])).toBeUndefined();
  expect(closest("", ["web_search"])).toBeUndefined();
  expect(closest("x", [])).toBeUndefined();
});
