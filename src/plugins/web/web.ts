import type { SafeFetch } from "../../safe-fetch/port.ts";
import type { Settings, ToolContext } from "../contract.ts";
import { OutsideFailure } from "../outside-failure.ts";
import { Kept } from "./kept.ts";
import { type PageReader, readPage, type WebPage } from "./page.ts";
import { chosenProvider } from "./providers/choose.ts";
import type { WebQuery } from "./providers/provider.ts";
import { Rate } from "./rate.ts";
import { searchWeb, type WebSearch } from "./search.ts";

/** What the plugin is built from. */
export interface WebServices {
  readonly safeFetch: SafeFetch;
  readonly reader: PageReader;
}

const MINUTE_MS = 60_000;
/** How old an answer may be that is used again, in milliseconds: news ages faster. */
const freshSearchMs = { any: 15 * MINUTE_MS, day: 5 * MINUTE_MS } as const;
const freshPageMs = 10 * MINUTE_MS;

/** The web as the tools use it: kept for a while, and not too often. */
export class Web {
  readonly #services: WebServices;
  readonly #rate = new Rate();
  readonly #searches = new Kept<WebSearch>(({ results }) =>
    results.reduce((sum, { title, snippet }) => sum + title.length + snippet.length, 0),
  );
  readonly #pages = new Kept<WebPage>(({ markdown }) => markdown.length);

  constructor(services: WebServices) {
    this.#services = services;
  }

  /** @throws OutsideFailure, AppError */
  async search(query: WebQuery, settings: Settings, context: ToolContext): Promise<WebSearch & { readonly provider: string }> {
    const chosen = chosenProvider(settings);
    if (typeof chosen === "string") throw new OutsideFailure("NOT_CONFIGURED", chosen);
    const provider = await chosen();
    const { words, limit, within } = query;
    const fresh = within === "day" ? freshSearchMs.day : freshSearchMs.any;
    const key = [provider.name, settings.searxng_url, words.toLowerCase(), limit, within];
    const found = await this.#searches.get(key, fresh, context, () => {
      this.#rate.admit(context.tenant, context.clock.monotonic());
      return searchWeb(provider, query, this.#services.safeFetch, context);
    });
    return { ...found, provider: provider.name };
  }

  /** @throws OutsideFailure, AppError */
  page(address: string, context: ToolContext): Promise<WebPage> {
    return this.#pages.get([address], freshPageMs, context, () => {
      this.#rate.admit(context.tenant, context.clock.monotonic());
      return readPage(address, this.#services, context);
    });
  }
}
