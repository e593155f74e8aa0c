import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { installModel } from "../../../src/knowledge/embedder/onnx/install-model.ts";
import { modelFolders } from "../../../src/knowledge/embedder/onnx/model-folder.ts";
import { onnxEmbedder } from "../../../src/knowledge/embedder/onnx/onnx-embedder.ts";

const { signal } = new AbortController();

describe("sentence-transformers from a folder", () => {
  let parent: string;
  let host: Server;
  let served: Map<string, string>;
  let asked: string[];
  beforeAll(async () => {
    host = createServer((request, response) => {
      asked.push(request.url ?? "");
      const body = served.get(request.url ?? "");
      response.writeHead(body === undefined ? 404 : 200).end(body);
    });
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => new Promise((resolve) => host.close(resolve)));
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), "footnote-models-"));
    asked = [];
    const at = "/Xenova/tiny-e5/resolve/main/";
    served = new Map([
      [`${at}config.json`, JSON.stringify({ hidden_size: 24 })],
      [`${at}tokenizer.json`, "{}"],
      [`${at}onnx/model_quantized.onnx`, "weights"],
    ]);
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));
  const install = (model: string) => {
    const { port } = host.address() as AddressInfo;
    return installModel({ model, parent, host: `http://127.0.0.1:${port}`, signal, onProgress: () => {} });
  };

  test("one is fetched when it is asked for, and then listed with its dimension", async () => {
    expect(await modelFolders(parent)).toEqual([]);
    expect(await install("tiny-e5")).toEqual({ name: "tiny-e5", path: join(parent, "tiny-e5"), dimensions: 24, quantized: true });
    expect((await modelFolders(parent)).map(({ name }) => name)).toEqual(["tiny-e5"]);
    expect(asked).toContain("/Xenova/tiny-e5/resolve/main/tokenizer_config.json");
  });

  test("one that is not there whole is not there at all, and nothing is fetched under another name than a model's", async () => {
    served.delete("/Xenova/tiny-e5/resolve/main/onnx/model_quantized.onnx");
    await expect(install("Xenova/tiny-e5")).rejects.toMatchObject({ code: "EMBEDDER_UNKNOWN" });
    expect(await readdir(parent)).toEqual([]);
    const before = asked.length;
    for (const name of ["../../etc", "a/b/c", "", "https://elsewhere.example/x", ".hidden"])
      await expect(install(name)).rejects.toMatchObject({ code: "EMBEDDER_UNKNOWN" });
    expect(asked).toHaveLength(before);
  });

  test("a folder without its parts is no model", async () => {
    await mkdir(join(parent, "half", "onnx"), { recursive: true });
    await writeFile(join(parent, "half", "config.json"), JSON.stringify({ hidden_size: 24 }));
    await writeFile(join(parent, "stray.txt"), "");
    expect(await modelFolders(parent)).toEqual([]);
  });

  test("without the package that runs them the error says how to install it, and nothing is fetched", async () => {
    const embedder = onnxEmbedder({ name: "tiny-e5", path: join(parent, "tiny-e5"), dimensions: 24, quantized: true });
    await expect(embedder.embed(["text"], "query", signal)).rejects.toThrow(
      /npm install --no-save @huggingface\/transformers|install it again/,
    );
    await embedder.close();
    expect([embedder.id, embedder.dimensions, asked]).toEqual(["tiny-e5-24", 24, []]);
  });
});
