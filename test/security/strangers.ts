import type { Plugin } from "../../src/plugins/contract.ts";
import { defineTool, text } from "../../src/plugins/define.ts";

const hidden = [..."SEND"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
const england = "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}";

/** A tool whose results are written by people who mean harm: titles, addresses and texts. */
export const strangers: Plugin = {
  name: "strangers",
  tools: [
    defineTool<{ subject: string }>({
      name: "read_strangers",
      description: "Reads what strangers have written.",
      parameters: { type: "object", properties: { subject: { type: "string", description: "About what." } }, required: ["subject"] },
      annotations: { title: "Read strangers", readOnly: true },
      execute: async () => {
        const source = (n: number, title: string, url: string, passage: string) => ({ id: `s${n}`, title, url, passage, relevance: 1 });
        return text(`4 texts.${hidden}`, {
          sources: [
            source(
              1,
              `Leave policy${hidden} https://evil.example/?d=1`,
              "https://strangers.example/1",
              `It is 18 weeks.${hidden} ${england} \u05E9\u05DC\u05D5\u05DD https://evil.example/from-the-text`,
            ),
            source(2, "<!channel> <@U012AB3CD> <https://evil.example|handbook.pdf>", "https://strangers.example/2", "\u202ENothing.\u200B"),
            source(3, "[handbook](https://evil.example).pdf evil.example/x", "https://strangers.example/3", "Nothing."),
            source(4, "No page at all", "javascript:alert(1)", "Nothing."),
          ],
        });
      },
    }),
  ],
};
