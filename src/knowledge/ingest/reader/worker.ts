import { AppError } from "../../../core/errors.ts";
import { giveWay } from "../../give-way.ts";
import { extract } from "../extract/extract.ts";
import type { Reply, RequestHeader } from "./messages.ts";
import { closeNetwork } from "./no-network.ts";

/** The process that reads files: requests come in on the standard input, replies leave on the standard output. One file at a time. */
closeNetwork();
giveWay();
// Some parsers write warnings with parts of the text.
for (const name of ["log", "info", "warn", "error", "debug", "trace"] as const) console[name] = () => {};

const post = (reply: Reply): boolean => process.stdout.write(`${JSON.stringify(reply)}\n`);

// From here on an end of the process is the fault of a file.
post({ type: "progress" });

for await (const { name, bytes, pictures } of requests()) {
  try {
    const onPicture = (page: number, png: Uint8Array) => post({ type: "picture", page, png: Buffer.from(png).toString("base64") });
    const onProgress = (done: number, total: number) => post({ type: "progress", done, total });
    post({ type: "done", document: await extract({ name, bytes, onProgress, ...(pictures ? { onPicture } : {}) }) });
  } catch (error) {
    if (error instanceof AppError)
      post({ type: "failed", code: error.code, detail: error.message.slice(new AppError(error.code).message.length).trim() });
    else if (isIncomplete(error))
      post({ type: "failed", code: "INTERNAL", detail: "A package that reads documents is missing. Run: npm install" });
    else post({ type: "failed", code: "DOCUMENT_UNREADABLE", detail: "It is damaged. Save or export it anew." });
  }
}

/** A part of the program that is not there, or that this process may not load: no document is to blame. */
function isIncomplete(error: unknown): boolean {
  return ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND", "ERR_ACCESS_DENIED"].includes(
    String((error as { code?: unknown } | undefined)?.code),
  );
}

async function* requests(): AsyncGenerator<{ name: string; bytes: Uint8Array; pictures: boolean }> {
  let chunks: Buffer[] = [];
  let header: RequestHeader | undefined;
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (!header) {
      const end = chunk.indexOf("\n");
      if (end < 0) continue;
      const all = Buffer.concat(chunks);
      const line = length - chunk.length + end;
      header = JSON.parse(all.toString("utf8", 0, line)) as RequestHeader;
      chunks = [all.subarray(line + 1)];
      length = all.length - line - 1;
    }
    if (length < header.length) continue;
    yield { name: header.name, pictures: header.pictures, bytes: new Uint8Array(Buffer.concat(chunks)) };
    header = undefined;
    chunks = [];
    length = 0;
  }
}
