/** A small generator of numbers that gives the same ones for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const words =
  "the of leave weeks policy paid parental manager request within days office travel receipts \u5317\u4EAC \u5047\u671F\u653F\u7B56 \u4F11\u6687 \u65E5\u672C\u8A9E\u306E\u6587\u7AE0 \uD55C\uAD6D\uC5B4 \u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627 \u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u{1F389} na\u00EFve \u0915\u094D\u0937\u092E\u093E a&b x<y i>j".split(
    " ",
  );

/**
 * A long answer in Markdown with everything that is hard to cut, numbered words w1, w2, ... in it so that none can be lost unseen.
 * @param length at least so many characters, and hardly more than 60,000; of any length when absent
 */
export function longAnswer(seed: number, length = 0): { markdown: string; marks: string[] } {
  const random = randomFrom(seed * 7919 + 13);
  const marks: string[] = [];
  const pick = (count: number) => Math.floor(random() * count);
  const mark = () => {
    marks.push(`w${seed}x${marks.length}z`);
    return marks.at(-1) ?? "";
  };
  const phrase = (length: number) =>
    Array.from({ length }, (_, at) => (at % 7 === 3 ? mark() : (words[pick(words.length)] ?? ""))).join(" ");
  const pieces = [
    () => phrase(4),
    () => `**${phrase(4)}**`,
    () => `*${phrase(4)}*`,
    () => `\`${mark()}[0]\``,
    () => `~~${phrase(3)}~~`,
    () => "[1]",
  ];
  const styled = (length: number) => [phrase(length), ...pieces.slice(0, 1 + pick(6)).map((piece) => piece())].join(" ");
  const blocks: (() => string)[] = [
    () => styled(10 + pick(200)),
    () => phrase(600),
    () => `## ${phrase(4)}`,
    () =>
      Array.from({ length: 3 + pick(20) }, (_, at) => `${at + 1}. ${styled(5 + pick(30))}\n   - ${phrase(8)}\n     - ${phrase(8)}`).join(
        "\n",
      ),
    () =>
      `\`\`\`python\n${Array.from({ length: 3 + pick(90) }, () => `x = f("${mark()}", "${words[pick(words.length)]}")`).join("\n")}\n\`\`\``,
    () =>
      `| A | B | C |\n|---|:-:|--:|\n${Array.from({ length: 2 + pick(60) }, () => `| ${mark()} | ${words[pick(words.length)]} | ${pick(1000)} |`).join("\n")}`,
    () => `| A | B |\n|---|---|\n${Array.from({ length: 2 + pick(10) }, () => `| ${phrase(14)} | ${phrase(14)} |`).join("\n")}`,
    () => `> ${styled(20 + pick(80))}\n> ${phrase(10)}`,
    () => "---",
    () => Array.from({ length: 4 + pick(20) }, () => `- [${random() < 0.5 ? "x" : " "}] ${phrase(6)}`).join("\n"),
  ];
  const written = Array.from({ length: length > 0 ? 1 : 6 + pick(20) }, () => blocks[pick(blocks.length)]?.() ?? "");
  for (let size = 0; size < length; size += (written.at(-1) ?? "").length + 2) written.push(blocks[pick(blocks.length)]?.() ?? "");
  return { markdown: written.join("\n\n"), marks };
}
