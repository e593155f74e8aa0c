import { createHash } from "node:crypto";

/** A passage is found by its document's title and its headings too: "16 weeks" says what it is about only there. */
export function indexedText(title: string, { heading, text }: { readonly heading?: string | undefined; readonly text: string }): string {
  const headings = heading?.split(" > ").filter((each) => each !== title) ?? [];
  return [title, ...headings, text].join("\n");
}

/** By which a text's vector is found again, as a UUID; half of SHA-256. */
export function textHash(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
