import { describe, expect, test } from "@jest/globals";
import { Command } from "commander";
import { addKnowledgeCommands } from "../../src/cli/knowledge-commands.ts";
import { CannedOperations } from "../fakes/canned-operations.ts";

/** Runs one command against canned operations; gives what it printed. */
async function footnote(...argv: string[]): Promise<{ readonly out: string; readonly side: string }> {
  const printed = { out: "", side: "" };
  const into = (stream: "out" | "side") => ({
    write: (text: string) => {
      printed[stream] += text;
    },
  });
  const operations = new CannedOperations();
  const preparing = operations.useEmbedder;
  const looks: object[] = [{ problem: "The embedding model failed." }, { status: "in use", embedded: 10 }];
  operations.embedders = async () => (await preparing("small")).map((each) => ({ ...each, ...looks.shift() }));
  const program = new Command();
  addKnowledgeCommands(program, {
    out: into("out"),
    side: into("side"),
    clock: { sleep: async () => undefined },
    signal: new AbortController().signal,
    using: (work) => work(operations),
    printJson: (value) => {
      printed.out += JSON.stringify(value);
    },
    installModel: async ({ model }, onProgress) => {
      onProgress(`Fetching ${model}`);
      return model.split("/").at(-1) ?? "";
    },
  });
  await program.parseAsync(argv, { from: "user" });
  return printed;
}

describe("footnote embedder and footnote full-text", () => {
  test("a switch is waited for, with how far it has come and what keeps it, and the list says which model is in use", async () => {
    const { out, side } = await footnote("embedder", "use", "small");
    expect(side).toBe("4 of 10 passages\n4 of 10 passages; tried again: The embedding model failed.\n");
    expect(out).toBe("small  384 dimensions  in use  10 of 10 passages\n");
    expect((await footnote("embedder", "use", "small", "--background")).out).toContain("preparing");
  });

  test("after an install it says what is left to do", async () => {
    const { out, side } = await footnote("embedder", "install", "Xenova/multilingual-e5-small");
    expect(side).toContain("Fetching Xenova/multilingual-e5-small");
    expect(out).toContain("footnote embedder use multilingual-e5-small");
    expect(out).toContain("@huggingface/transformers");
  });

  test("mending says what was mended, for people and for programs", async () => {
    expect((await footnote("full-text", "mend")).out).toBe("acme  set up anew, 1 documents written anew\n");
    expect(JSON.parse((await footnote("full-text", "mend", "--json")).out)).toEqual({
      workspaces: [{ workspace: "acme", rewritten: 1, removed: 0, prepared: true }],
    });
  });
});
