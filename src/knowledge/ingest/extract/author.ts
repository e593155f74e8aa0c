import { visibleText } from "../../../core/visible-text.ts";

/** What programs write where nobody gave a name. */
const nobody =
  /^(?:admin(?:istrator)?|root|user|benutzer|utilisateur|usuario|author|unknown|anonymous|owner|none|default|(?:microsoft|ms) office.*|python-\w+|openpyxl|xlsxwriter|apache poi|unbekannt|\W*)$/i;

const LONGEST = 200;

/** Who wrote a document, by what it says itself; nothing where that is nobody's name. */
export function authorOf(...names: readonly (string | null | undefined)[]): { readonly author?: string } {
  const known = names
    .map((name) =>
      visibleText(name ?? "")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .filter((name) => !nobody.test(name));
  return known.length === 0 ? {} : { author: [...new Set(known)].join(", ").slice(0, LONGEST) };
}
