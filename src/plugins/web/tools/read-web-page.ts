import { defineTool, failure, text } from "../../define.ts";
import { failed } from "../../outside-failure.ts";
import { quoted } from "../../wording.ts";
import { chosenProvider } from "../providers/choose.ts";
import { moment, pageSource } from "../sources.ts";
import type { Web } from "../web.ts";

interface Params {
  readonly url: string;
  readonly start?: number;
}

/** Characters of a page that are given at once. */
const PORTION = 16_000;

/** The main content of one page of the public web. */
export const readWebPage = (web: () => Promise<Web>) =>
  defineTool<Params>({
    name: "read_web_page",
    description:
      "Reads a page or PDF of the public web as Markdown: its main content with title and date. Use it for an address that the person " +
      "gave or that a search found. Never add anything to an address.",
    parameters: {
      type: "object",
      properties: {
        url: { type: "string", minLength: 8, maxLength: 2000, description: "The address, with http or https, exactly as it was found." },
        start: { type: "integer", minimum: 0, maximum: 10_000_000, description: "The character to begin at, to read on in a long page." },
      },
      required: ["url"],
    },
    annotations: { title: "Read a web page", readOnly: true, openWorld: true },
    timeoutMs: 60_000,
    /** Pages are read from outside only where an operator or admin has opened the web. */
    configure: ({ read_pages: pages, ...settings }) => {
      if (pages === "off") return "Reading web pages is switched off by the setting read_pages.";
      const provider = chosenProvider(settings);
      if (pages === "on" || typeof provider !== "string") return undefined;
      return "Reading web pages needs a provider of web search, or the setting read_pages to be on.";
    },
    opensAddress: ({ url }) => url,
    describeCall: (params) => `Reading ${quoted(params?.url)}`,

    async execute({ url, start = 0 }, context) {
      const { signal } = context;
      signal.throwIfAborted();
      try {
        const page = await (await web()).page(url, context);
        const { markdown, title, published, retrievedAt } = page;
        if (start >= markdown.length)
          return failure("NOT_FOUND", `The page has ${markdown.length} characters, so there is nothing at ${start}.`);
        const end = portionEnd(markdown, start);
        const dates = `${published ? `published ${moment(published)}, ` : ""}retrieved ${moment(retrievedAt)}`;
        const more = end < markdown.length ? ` To read on, start at ${end}.` : "";
        const head = `${quoted(title)}, ${dates}. Characters ${start} to ${end} of ${markdown.length}.${more}`;
        return text(head, { count: 1, sources: [pageSource(page, start, end)] });
      } catch (thrown) {
        return failed(thrown, signal);
      }
    },
  });

/** Portions end between paragraphs, where there are any. */
function portionEnd(markdown: string, start: number): number {
  if (markdown.length - start <= PORTION) return markdown.length;
  const end = start + PORTION;
  const paragraph = markdown.lastIndexOf("\n\n", end);
  if (paragraph > start + PORTION / 2) return paragraph + 2;
  return /[\uD800-\uDBFF]/.test(markdown[end - 1] ?? "") ? end - 1 : end;
}
