import { effectOf, type Reading } from "../permissions/approval.ts";
import type { Place } from "../permissions/directory.ts";
import type { Tool, ToolResult } from "../plugins/contract.ts";

/** What one answer's model has read so far, as far as it decides what may happen without a click. Only grows. */
export class ReadSoFar {
  readonly #open: boolean;
  #asked = "";
  readonly #addresses = new Set<string>();
  #tainted: boolean;
  #private: boolean;

  /**
   * @param place where it is asked; what stands in a public channel every member of the workspace may read
   * @param earlier whether messages before the question, or files, are read along: others' words, or answers that were made from others' words
   */
  constructor(place: Place, asked: string, earlier: boolean) {
    this.#open = place.kind === "public";
    this.#tainted = earlier;
    this.#private = earlier && !this.#open;
    this.hear(asked);
  }

  /** What the asker writes, in the question or while it is answered. */
  hear(asked: string): void {
    this.#asked = this.#asked === "" ? asked : `${this.#asked}\n${asked}`;
    for (const [address] of asked.matchAll(/https?:\/\/[^\s<>"')\]]+/gi)) {
      this.#addresses.add(address);
      // A full stop or comma behind an address is the sentence's.
      this.#addresses.add(address.replace(/[.,;:!?]+$/, ""));
    }
  }

  /** A result that the model is given. Whatever tool it is from, its text is somebody else's. */
  note(tool: Tool, { metadata, status }: ToolResult): void {
    if (status === "denied") return;
    this.#tainted = true;
    for (const { url } of metadata.sources ?? []) if (url !== undefined) this.#addresses.add(url);
    const ofTheTeam = effectOf(tool) === "read-inside" || tool.server !== undefined;
    // What somebody got with their own log-in is theirs, wherever they asked for it.
    if (tool.login || metadata.public === false || (ofTheTeam && metadata.public !== true && !this.#open)) this.#private = true;
  }

  get state(): Reading {
    return { tainted: this.#tainted, private: this.#private, addresses: this.#addresses, asked: this.#asked };
  }
}
