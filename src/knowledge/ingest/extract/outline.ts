import type { Block } from "./document.ts";

/** Collects blocks under their headings, for formats that give headings a depth (1 is the outermost). */
export class Outline {
  readonly blocks: Block[] = [];
  readonly #path: { readonly depth: number; readonly text: string }[] = [];
  #bare = false;

  heading(depth: number, text: string): void {
    this.#close(depth);
    this.#path.push({ depth, text });
    this.#bare = true;
  }

  add(kind: Block["kind"], text: string): void {
    if (text.trim() === "") return;
    this.#bare = false;
    this.blocks.push({ text, headingPath: this.#texts(), kind });
  }

  /** To be called once, after the last block. */
  end(): readonly Block[] {
    this.#close(1);
    return this.blocks;
  }

  #texts = (): string[] => this.#path.map((heading) => heading.text);

  /** A heading with nothing under it still says something: it becomes a line under its parent. */
  #close(depth: number): void {
    while (this.#path.length > 0 && (this.#path.at(-1)?.depth ?? 0) >= depth) {
      const heading = this.#path.pop();
      if (this.#bare && heading && this.#path.length > 0)
        this.blocks.push({ text: heading.text, headingPath: this.#texts(), kind: "prose" });
      this.#bare = false;
    }
  }
}
