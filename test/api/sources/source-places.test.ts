import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { startHttpServer } from "../../../src/api/http-server.ts";
import { SourceLinkSigner } from "../../../src/api/sources/source-links.ts";
import { sourcePageRoutes } from "../../../src/api/sources/source-page.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { documentId, newId, passageId, tenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { ExcerptPassage, TenantLibrary } from "../../../src/knowledge/library.ts";
import { MemoryDirectory } from "../../fakes/memory-directory.ts";
import { person, place } from "../../fakes/people.ts";

const tenant = tenantId(newId());
const [alice, general] = [person("alice"), place("general", "public")];

/** The page behind a source whose document has these passages, of which the first is cited. */
async function pageBehind(passages: readonly Omit<ExcerptPassage, "passageId">[], pages?: number): Promise<string> {
  const [first, ...rest] = passages.map((passage) => ({ ...passage, passageId: passageId(newId()) }));
  if (!first) throw new Error("There is nothing to cite.");
  const excerpt = { documentId: documentId(newId()), title: "Budget", passages: [first, ...rest], truncated: false };
  const context = async () => ({ ...excerpt, ...(pages === undefined ? {} : { pages }) });
  const links: SourceLinkSigner = new SourceLinkSigner(randomBytes(32), () => server.url, systemClock);
  const directory = new MemoryDirectory([alice], [general], new Map());
  const forTenant = async () => ({ directory, library: { context } as unknown as TenantLibrary });
  const routes = sourcePageRoutes({ links, forTenant });
  const server = await startHttpServer(routes, { host: "127.0.0.1", port: 0, log: silentLogger });
  try {
    return await (await fetch(links.forTenant(tenant).passage(first.passageId, { channel: general.id, person: alice.id }))).text();
  } finally {
    await server.close();
  }
}

test("a passage of a slide opens at its slide, not at a page", async () => {
  const body = await pageBehind(
    [
      { text: "We grow.", page: 3, pageName: "slide 3" },
      { text: "We go on.", page: 4, pageName: "slide 4" },
    ],
    12,
  );
  expect(body).toContain("<p>Slide 3 of 12</p>");
  expect(body).toContain("<h2>Slide 4</h2>");
  expect(body).not.toContain("Page");
  expect(body).toMatch(/class="cited"[^>]*><p>We grow\./);
});

test("a passage of a sheet opens with its sheet's name and its rows as a table", async () => {
  const body = await pageBehind([{ text: "| Year | Fee |\n| --- | --- |\n| 2026 | 40 |", heading: "Fees 2026" }]);
  expect(body).toContain("<p>Fees 2026</p>");
  expect(body).toContain("<td>40</td>");
  expect(body).not.toContain("Page");
});

test("a page with a name of its own is named by it, and its place in the file is told apart", async () => {
  expect(await pageBehind([{ text: "Preface.", page: 4, pageName: "page iv" }], 300)).toContain("<p>Page iv (4 of 300)</p>");
  expect(await pageBehind([{ text: "Text.", page: 4 }], 300)).toContain("<p>Page 4 of 300</p>");
});
