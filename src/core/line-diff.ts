/** Lines around a change that are shown with it. */
const AROUND = 2;

/** What has changed from one list of lines to another: "- " gone, "+ " new, two blanks for those around. Empty when nothing has. */
export function lineDiff(before: readonly string[], after: readonly string[]): readonly string[] {
  const lines = differences(before, after);
  return lines.every((line) => line.startsWith(" ")) ? [] : withContext(lines);
}

/** Every line once, marked with "-" (gone), "+" (new) or a blank. Longest common subsequence, by dynamic programming. */
function differences(before: readonly string[], after: readonly string[]): readonly string[] {
  const longest = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = longest[i];
      if (row) row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push(`  ${before[i]}`);
      i += 1;
      j += 1;
    } else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) lines.push(`- ${before[i++]}`);
    else lines.push(`+ ${after[j++]}`);
  }
  return lines;
}

function withContext(lines: readonly string[]): readonly string[] {
  const near = (at: number) => lines.slice(Math.max(0, at - AROUND), at + AROUND + 1).some((line) => !line.startsWith(" "));
  const shown = lines.map((line, at) => (near(at) ? line : undefined));
  return shown.flatMap((line, at) => line ?? (shown[at - 1] !== undefined || at === 0 ? ["  ..."] : []));
}
