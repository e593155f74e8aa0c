import { resultOf } from "../../../src/plugins/mcp/result.ts";

const LIMIT = 65_536;

describe("what comes back from a server", () => {
  test("H5-MCP-07: a resource's text reaches the model with its address as the source", () => {
    const result = resultOf(
      { content: [{ type: "resource", resource: { uri: "doc://1", mimeType: "text/plain", text: "Policy: 30 days" } }] },
      LIMIT,
    );
    expect(result.content).toContain("Policy: 30 days");
    expect(result.metadata.sources).toEqual([expect.objectContaining({ id: "doc://1", passage: "Policy: 30 days" })]);
  });

  test("H5-MCP-07: an error keeps its reason and counts as an error", () => {
    const result = resultOf(
      { isError: true, content: [{ type: "resource", resource: { uri: "e://1", text: "no access to project P" } }] },
      LIMIT,
    );
    expect(result.status).toBe("error");
    expect(result.content).toContain("no access to project P");
  });

  test("H5-MCP-07: structured content alone is read", () => {
    expect(resultOf({ content: [], structuredContent: { total: 3 } }, LIMIT).content).toBe('{"total":3}');
  });

  test("H5-MCP-08: an image is a short note, never its bytes", () => {
    const data = "A".repeat(2 * 1024 * 1024);
    const { content } = resultOf(
      {
        content: [
          { type: "text", text: "chart below" },
          { type: "image", data, mimeType: "image/png" },
        ],
      },
      LIMIT,
    );
    expect(content).toContain("chart below");
    expect(content).toContain("image/png");
    expect(content).not.toContain("AAAA");
    expect(content.length).toBeLessThan(200);
  });

  test("H5-MCP-08: five thousand parts and thirty megabytes are cut with a mark", () => {
    const many = resultOf({ content: Array.from({ length: 5_000 }, (_, at) => ({ type: "text", text: `part ${at}` })) }, LIMIT);
    expect(many.content).toContain("more parts]");
    const big = resultOf({ content: [], structuredContent: { text: "x".repeat(30 * 1024 * 1024) } }, LIMIT);
    expect(big.content.length).toBeLessThan(LIMIT + 100);
    expect(big.content).toMatch(/\[cut here: \d+ more characters\]$/);
  });

  test("T24: characters that show nothing are taken out, flags and right-to-left text stay", () => {
    const { content } = resultOf({ content: [{ type: "text", text: "a\u200b\u{E0041}b 🏴󠁧󠁢󠁳󠁣󠁴󠁿 שלום" }] }, LIMIT);
    expect(content).toBe("ab 🏴󠁧󠁢󠁳󠁣󠁴󠁿 שלום");
  });

  test("rubbish in place of parts is no reason to fail", () => {
    for (const content of [undefined, null, "text", [null, 3, { type: 7 }, { type: "resource" }, { type: "video" }]])
      expect(resultOf({ content }, LIMIT).status).toBe("success");
  });
});
