import type { JsonSchema } from "../../core/json-schema.ts";

/** A tool as a server of ours offers it. */
export interface HostedTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema | Readonly<Record<string, unknown>>;
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly destructiveHint?: boolean; readonly openWorldHint?: boolean };
}

/** A part of a result, in the protocol's own form. */
export type HostedPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly resource: {
        readonly uri: string;
        readonly mimeType?: string;
        readonly text: string;
        readonly _meta?: { readonly title: string };
      };
      /** How much it counts beside the others, from 0 to 1, and when it was written, ISO 8601. */
      readonly annotations?: { readonly priority: number; readonly lastModified?: string };
    };

export interface HostedResult {
  readonly content: readonly HostedPart[];
  /** The call failed; the first part says why. */
  readonly isError?: boolean;
}

export interface HostedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** News while the call runs: which step of how many (undefined: not known), and in words. */
  progress(step: number, of: number | undefined, words: string): void;
}

/** Whose tools a server of ours offers: bound to one caller. */
export interface ToolHost {
  /** In name order, the same as long as nothing changes. */
  list(): Promise<readonly HostedTool[]>;
  /**
   * Runs one call. What goes wrong in it is a result.
   * @throws BadCall when there is no such tool or its arguments do not fit
   */
  call(call: HostedCall): Promise<HostedResult>;
}

/** A call that cannot be made: the caller gets the protocol's error for invalid parameters, with this reason. */
export class BadCall extends Error {
  override readonly name = "BadCall";
}
