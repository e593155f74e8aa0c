/** Lines around a change that are shown with it. */
const AROUND = 2;

/** Most pairs of lines that are compared, each of which takes two bytes. Of more that has changed the old is told first, then the new. */
const MOST_COMPARED = 4_000_000;

/** What has changed from one list of lines to another: "- " gone, "+ " new, two blanks for those around. Empty when nothing has. */
export function lineDiff(before: readonly string[], after: readonly string[]): readonly string[] {
  const lines = differences(before, after);
  return lines.every((line) => line.startsWith(" ")) ? [] : withContext(lines);
}

/** Every line once, marked with "-" (gone), "+" (new) or a blank. */
function differences(before: readonly string[], after: readonly string[]): readonly string[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const [old, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const middle =
    old.length * fresh.length > MOST_COMPARED
      ? [...old.map((line) => `- ${line}`), ...fresh.map((line) => `+ ${line}`)]
      : aligned(old, fresh);
  const same = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [...same(before.slice(0, head)), ...middle, ...same(before.slice(before.length - tail))];
}

/** The same with as many lines kept as there can be: longest common subsequence, by dynamic programming. */
function aligned(before: readonly string[], after: readonly string[]): readonly string[] {
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
