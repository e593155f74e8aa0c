import { readFile } from "node:fs/promises";
import { AppError, type ErrorCode } from "../core/errors.ts";

/** The text of a file that an operator names. @param code of the AppError when it cannot be read */
export async function readText(file: string, code: ErrorCode): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw new AppError(code, `The file ${file} cannot be read.`);
  }
}
