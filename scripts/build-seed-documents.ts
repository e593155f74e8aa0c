/**
 * Writes the playground's PDF documents from their text in playground/seed/sources. Run it from the repository's root after
 * a change of a source (npm run build && node dist/scripts/build-seed-documents.js) and commit what it writes.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseSeedSource, renderSeedPdf } from "./seed-pdf.ts";

const seed = "playground/seed";
/** The colour of headings for each workspace, so that a reader sees at once whose handbook is open. */
const accents = { acme: [0.06, 0.36, 0.32], globex: [0.24, 0.22, 0.56] } as const;

for (const [workspace, accent] of Object.entries(accents)) {
  for (const name of await readdir(join(seed, "sources", workspace))) {
    const document = parseSeedSource(await readFile(join(seed, "sources", workspace, name), "utf8"));
    const target = join(seed, "documents", workspace, `${basename(name, ".txt")}.pdf`);
    await writeFile(target, await renderSeedPdf(document, accent));
    process.stdout.write(`${target}: ${document.pages.length} pages\n`);
  }
}
