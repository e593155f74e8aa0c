import { parentPort } from "node:worker_threads";
import { AppError, type ErrorCode } from "../../../core/errors.ts";
import type { ExtractedDocument } from "./document.ts";
import { extract } from "./extract.ts";

/** What the thread is told and what it answers. One file at a time. */
export interface ExtractRequest {
  readonly name: string;
  readonly bytes: Uint8Array;
}
export type ExtractReply =
  | { readonly type: "progress" }
  | { readonly type: "done"; readonly document: ExtractedDocument }
  | { readonly type: "failed"; readonly code: ErrorCode; readonly detail: string };

const post = (reply: ExtractReply): void => parentPort?.postMessage(reply);

parentPort?.on("message", async ({ name, bytes }: ExtractRequest) => {
  try {
    post({ type: "done", document: await extract({ name, bytes, onProgress: () => post({ type: "progress" }) }) });
  } catch (error) {
    if (error instanceof AppError)
      post({ type: "failed", code: error.code, detail: error.message.slice(new AppError(error.code).message.length).trim() });
    else post({ type: "failed", code: "DOCUMENT_UNREADABLE", detail: "It is damaged. Save or export it anew." });
  }
});
