import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";

/** A sentence-transformer that was installed in a folder: config.json, tokenizer.json and onnx/model.onnx or onnx/model_quantized.onnx. */
export interface ModelFolder {
  /** The folder's name. */
  readonly name: string;
  readonly path: string;
  readonly dimensions: number;
  /** Whether it is there with weights of 8 bits, which are then used. */
  readonly quantized: boolean;
}

/** The models in a folder of such folders, by name; what is not one is left out. */
export async function modelFolders(parent: string): Promise<readonly ModelFolder[]> {
  const names = await readdir(parent).catch(() => []);
  const found = await Promise.all(names.sort().map((name) => modelFolder(name, join(parent, name))));
  return found.filter((each) => each !== undefined);
}

async function modelFolder(name: string, path: string): Promise<ModelFolder | undefined> {
  try {
    const config = JSON.parse(await readFile(join(path, "config.json"), "utf8")) as { hidden_size?: unknown; dim?: unknown };
    const dimensions = config.hidden_size ?? config.dim;
    const [quantized, whole] = await Promise.all(["model_quantized", "model"].map((file) => isFile(join(path, "onnx", `${file}.onnx`))));
    if (typeof dimensions !== "number" || !(await isFile(join(path, "tokenizer.json"))) || !(quantized || whole)) return undefined;
    return { name, path, dimensions, quantized: quantized === true };
  } catch {
    return undefined;
  }
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
