import { describe, expect, test } from "@jest/globals";
import { readTemplate } from "../../src/agent/templates/read-template.ts";
import { enabledTools, type ToolChoices } from "../../src/permissions/enabled-tools.ts";
import { defineTool, text } from "../../src/plugins/define.ts";
import { nameTools } from "../../src/plugins/mcp/names.ts";

const member = { role: "member", isBot: false, deactivated: false } as const;
const tool = (name: string) =>
  defineTool({ name, description: "Does something.", parameters: { type: "object", properties: {} }, execute: async () => text("done") });

/** Names under which a server's tools are called, one of which is too long for a name and cut. */
const definition = (name: string) => ({ name, description: "Writes.", inputSchema: { type: "object" } });
const called = nameTools("fs", [definition("write_file"), definition(`write_${"very_".repeat(20)}long_file`)] as never).named.map(
  ({ name }) => name,
);

const choices = (deny: string): ToolChoices => {
  const none = new Set<string>();
  return {
    flags: none,
    settings: {},
    allowed: new Set([...called, "read_file"]),
    leastRole: new Map(),
    template: new Set([...called, "read_file"]),
    switchedOff: { admin: new Set([deny]), channel: none, thread: none, person: none },
  };
};
const available = (deny: string) => enabledTools([...called, "read_file"].map(tool), choices(deny), member).map(({ name }) => name);

describe("H5-PRM-02: what an admin has locked is locked in whatever form its name is written", () => {
  const [short = "", long = ""] = called;
  test.each([short, short.toUpperCase(), short.replace("__", " "), "FS__Write-File", long, long.toUpperCase()])("%s", (deny) => {
    const locked = deny.toLowerCase().includes("very") ? long : short;
    expect(available(deny)).not.toContain(locked);
    expect(available(deny)).toContain("read_file");
    expect(long.length).toBeLessThanOrEqual(64);
  });

  test("H5-PRM-02: a rule about a tool that does not exist is told to whoever writes it, with the one that may be meant", () => {
    const template = (name: string) => `name: support\ntitle: Support\ninstructions: Be kind.\ntools:\n  ${name}: off\n`;
    expect(() => readTemplate(template("write_fle"), { tools: ["write_file"], models: [] })).toThrow(/no tool "write_fle".*write_file/);
    expect(readTemplate(template("Write-File"), { tools: ["write_file"], models: [] }).tools).toBeDefined();
  });
});
