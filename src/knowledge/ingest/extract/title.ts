import { visibleText } from "../../../core/visible-text.ts";

/** Longer names are cut. */
const LONGEST_TITLE = 200;

/** A readable title from a file's name: "parental-leave_2024.pdf" becomes "Parental leave 2024". */
export function titleFromName(name: string): string {
  const base = visibleText(name.split(/[/\\]/).at(-1) ?? name);
  const words = base
    .replace(/\.[A-Za-z0-9]{1,8}$/, "")
    .replace(/[-_]+/g, " ")
    .trim();
  const [first = "", ...rest] = words || base;
  return (first.toUpperCase() + rest.join("")).slice(0, LONGEST_TITLE);
}
