import { AppError } from "../../core/errors.ts";
import type { PassageId, TenantId } from "../../core/ids.ts";
import type { DocumentExcerpt, ExcerptPassage, TenantLibrary } from "../../knowledge/library.ts";
import { audienceFor } from "../../permissions/audience.ts";
import type { Directory } from "../../permissions/directory.ts";
import { isReader } from "../../permissions/reader.ts";
import { escapeHtml, htmlType as html } from "../html.ts";
import { type Route, respond } from "../http-server.ts";
import { passageHtml } from "./passage-html.ts";
import { type OpenedLink, type SourceLinkSigner, sourcesPath } from "./source-links.ts";
import { sourceStyle } from "./source-style.ts";

/** What the page needs to know of a tenant. */
export interface SourcePageParts {
  readonly links: SourceLinkSigner;
  forTenant(tenant: TenantId): Promise<{ readonly directory: Directory; readonly library: TenantLibrary }>;
}

/** Passages shown before and after the cited one. */
const neighbours = 2;

/**
 * The page behind a source: the cited passage marked, its neighbours around it, title and page number. Permission is worked out
 * anew at the click; a forged link, a withdrawn grant and a deleted document look the same.
 */
export function sourcePageRoutes({ links, forTenant }: SourcePageParts): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/sources/style.css",
      policy: "public",
      handle: (_request, response) => respond(response, 200, sourceStyle, "text/css; charset=utf-8"),
    },
    {
      method: "GET",
      path: sourcesPath,
      policy: "signed-link",
      async handle(request, response) {
        const opened = links.open((request.url ?? "").slice(sourcesPath.length).split("?")[0] ?? "");
        if (opened === "expired")
          return respond(response, 410, notice("This link has ended", "Ask the question again to get a fresh one."), html);
        const tenant = opened && (await forTenant(opened.tenant).catch(unlessGone));
        const excerpt = tenant && (await excerptFor(opened, tenant));
        if (!opened || !excerpt)
          return respond(
            response,
            404,
            notice("Nothing to see here", "This source does not exist, or it is not open to the readers of that answer any more."),
            html,
          );
        respond(response, 200, page(excerpt, opened.passage), html);
      },
    },
  ];
}

/** A workspace that has removed the app has no readers any more. */
function unlessGone(thrown: unknown): undefined {
  if (!(thrown instanceof AppError) || thrown.code !== "WORKSPACE_UNKNOWN") throw thrown;
}

async function excerptFor(
  { passage, channel, person }: OpenedLink,
  { directory, library }: Awaited<ReturnType<SourcePageParts["forTenant"]>>,
): Promise<DocumentExcerpt | undefined> {
  const [place, reader, channels] = await Promise.all([directory.place(channel), directory.person(person), directory.channelsOf(person)]);
  if (!place || !reader) return undefined;
  // In a direct message the link was made for its one reader; elsewhere it ends for somebody who has left the channel.
  const directMessage = place.kind === "direct" ? channel : await directory.directMessage(person);
  if (!isReader(place, reader, { channels, directMessage })) return undefined;
  const audience = audienceFor(place, reader, channels, { groups: (await directory.groupsOf?.(person)) ?? [] });
  return library.context({ passage, before: neighbours, after: neighbours }, { principals: audience.principals });
}

function page(excerpt: DocumentExcerpt, cited: PassageId): string {
  const passage = excerpt.passages.find(({ passageId }) => passageId === cited);
  const where = [passage && pageOf(passage, excerpt.pages), passage?.heading].filter(Boolean).join(" · ");
  const blocks = excerpt.passages.map((each, index) => block(each, excerpt.passages[index - 1], cited)).join("\n");
  return layout(excerpt.title, `<header><h1>${escapeHtml(excerpt.title)}</h1><p>${escapeHtml(where)}</p></header>\n<main>${blocks}</main>`);
}

/** "Page 3 of 12", "Slide 3 of 12", or the page's own name with its position in the file: "Page iv (14 of 300)". */
function pageOf({ page, pageName }: ExcerptPassage, pages?: number): string | undefined {
  if (page === undefined) return undefined;
  const position = `${page}${pages ? ` of ${pages}` : ""}`;
  if (pageName === undefined) return `Page ${position}`;
  const name = pageName.charAt(0).toUpperCase() + pageName.slice(1);
  return name.endsWith(` ${page}`) ? `${name}${pages ? ` of ${pages}` : ""}` : `${name} (${position})`;
}

function block(passage: ExcerptPassage, before: ExcerptPassage | undefined, cited: PassageId): string {
  const label = [passage.page !== before?.page && pageOf(passage), passage.heading !== before?.heading && passage.heading]
    .filter(Boolean)
    .join(" · ");
  const heading = label ? `<h2>${escapeHtml(label)}</h2>\n` : "";
  const text = passageHtml(passage.text);
  return passage.passageId === cited
    ? `${heading}<section class="cited" aria-label="The cited passage">${text}</section>`
    : `${heading}<section>${text}</section>`;
}

function notice(title: string, text: string): string {
  return layout(title, `<header><h1>${escapeHtml(title)}</h1></header>\n<main><section><p>${escapeHtml(text)}</p></section></main>`);
}

function layout(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="style.css"></head>
<body>
${body}
<footer>Shown by Footnote, as it was read from the document.</footer>
</body>
</html>
`;
}
