import { z } from "zod";
import type { SafeFetch } from "../../safe-fetch/port.ts";
import type { Settings, ToolContext } from "../contract.ts";
import { OutsideFailure } from "../outside-failure.ts";

/** GitHub's own; GitHub Enterprise has another. */
const PUBLIC_API = "https://api.github.com";
/** The version of the interface that the forms below were written for. */
const API_VERSION = "2022-11-28";

type Caller = Pick<ToolContext, "tenant" | "settings" | "signal">;

/** A repository as a search gives it, as far as it is used. */
const repository = z.object({
  full_name: z.string(),
  html_url: z.string(),
  description: z.string().nullish(),
  private: z.boolean().default(false),
  stargazers_count: z.number().default(0),
  language: z.string().nullish(),
  topics: z.array(z.string()).default([]),
  archived: z.boolean().default(false),
  license: z.object({ spdx_id: z.string().nullish() }).nullish(),
  pushed_at: z.string().nullish(),
});
export type Repository = z.infer<typeof repository>;

/** An issue or a pull request. */
const issue = z.object({
  html_url: z.string(),
  number: z.number(),
  title: z.string(),
  state: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  labels: z.array(z.object({ name: z.string() })).default([]),
  comments: z.number().default(0),
  updated_at: z.string().nullish(),
});
export type Issue = z.infer<typeof issue>;

/** What a search gives: how many there are in all, and the first of them. */
export interface Page<T> {
  readonly total: number;
  readonly items: readonly T[];
}

/** GitHub's REST interface by https://docs.github.com/rest, as far as the tools need it. Knows nothing of agents. */
export class GitHub {
  readonly #fetch: SafeFetch;

  constructor(safeFetch: SafeFetch) {
    this.#fetch = safeFetch;
  }

  /** @throws OutsideFailure when GitHub refuses; AppError of SafeFetch */
  async repositories(query: string, limit: number, caller: Caller): Promise<Page<Repository>> {
    const { total, items } = await this.#search("repositories", query, limit, caller);
    return { total, items: formed(repository, items).filter((each) => seesAll(caller.settings) || !each.private) };
  }

  /** @throws OutsideFailure when GitHub refuses; AppError of SafeFetch */
  async issues(query: string, limit: number, caller: Caller): Promise<Page<Issue>> {
    const { total, items } = await this.#search("issues", query, limit, caller);
    return { total, items: formed(issue, items) };
  }

  /**
   * @param where "owner/name"
   * @throws OutsideFailure when GitHub refuses, OUTCOME_UNKNOWN when nobody knows whether it was created
   */
  async createIssue(where: string, content: { readonly title: string; readonly body?: string }, caller: Caller): Promise<Issue> {
    let response: Response;
    let body: unknown;
    try {
      response = await this.#ask(`/repos/${where}/issues`, caller, { method: "POST", body: JSON.stringify(content) });
      body = response.ok ? await response.json() : undefined;
    } catch (thrown) {
      caller.signal.throwIfAborted();
      if ((thrown as { code?: unknown }).code === "FETCH_REFUSED") throw thrown;
      throw new OutsideFailure(
        "OUTCOME_UNKNOWN",
        "GitHub gave no proper answer, so the issue may or may not exist. Look there before another try.",
      );
    }
    if (!response.ok) throw await refusal(response);
    const created = issue.safeParse(body);
    if (!created.success)
      throw new OutsideFailure("OUTCOME_UNKNOWN", "GitHub gave an answer of another form. Look there before another try.");
    return created.data;
  }

  async #search(what: string, words: string, limit: number, caller: Caller): Promise<Page<unknown>> {
    const query = new URLSearchParams({ q: within(words, caller.settings), per_page: String(limit) });
    const response = await this.#ask(`/search/${what}?${query}`, caller);
    if (!response.ok) throw await refusal(response);
    const { data } = answer.safeParse(await response.json().catch(() => undefined));
    if (!data) throw new OutsideFailure("GITHUB_FAILED", "GitHub gave an answer of another form.", true);
    return { total: data.total_count, items: data.items };
  }

  #ask(path: string, { tenant, settings, signal }: Caller, request: { method?: string; body?: string } = {}): Promise<Response> {
    const { token, api_url: address = PUBLIC_API } = settings;
    const headers = {
      accept: "application/vnd.github+json",
      "x-github-api-version": API_VERSION,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(request.body !== undefined && { "content-type": "application/json" }),
    };
    const url = `${address.replace(/\/$/, "")}${path}`;
    return this.#fetch(url, { ...request, headers, tenant, signal, redirect: "error", configured: true, types: ["application/json"] });
  }
}

const answer = z.object({ total_count: z.number(), items: z.array(z.unknown()) });

/** Results of another form do not cost the others. */
const formed = <T>(form: z.ZodType<T>, items: readonly unknown[]): T[] =>
  items.flatMap((item) => {
    const { data } = form.safeParse(item);
    return data === undefined ? [] : [data];
  });

/** Whether answers may draw on everything that the token can read: whoever set it has said so for all readers. */
const seesAll = ({ repositories }: Settings): boolean => repositories === "all";

/** Words for a repository's visibility, and what ties conditions together in other ways than "all of them". */
const visibility = /-?\bis:"?(?:public|private|internal)\b"?|-?\bvisibility:\S*/gi;
const operators = /[()]|(?<![\w:./-])(?:and|or|not)(?![\w:./-])/gi;

/**
 * The token may read what an answer's readers may not, so only public repositories are searched, whatever the words ask for. The
 * condition comes first, where no open quotation swallows it, and the words lose whatever could offer something in its place.
 */
function within(words: string, settings: Settings): string {
  if (seesAll(settings)) return words;
  const pieces = words.replaceAll("\\", " ").match(/"[^"]*"|[^"]+/g) ?? [];
  const flat = pieces.map((piece) => (piece.startsWith('"') ? piece : piece.replace(operators, " "))).join("");
  return `is:public ${flat.replace(visibility, " ")}`.replace(/\s+/g, " ").trim();
}

async function refusal(response: Response): Promise<OutsideFailure> {
  const { status, headers } = response;
  await response.body?.cancel();
  if (status === 429 || headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after"))
    return new OutsideFailure("RATE_LIMITED", "GitHub was asked too often. Try again in a minute.", true);
  if (status === 401) return new OutsideFailure("GITHUB_REFUSED", "GitHub does not accept the token that is set for it.");
  if (status === 403) return new OutsideFailure("GITHUB_REFUSED", "The token that is set for GitHub may not do this.");
  if (status === 404 || status === 410)
    return new OutsideFailure("NOT_FOUND", "GitHub knows no such repository, or the token may not see it, or it takes no issues.");
  if (status === 422) return new OutsideFailure("BAD_PARAMETERS", "GitHub does not understand this. Use plain words and known qualifiers.");
  return new OutsideFailure("GITHUB_FAILED", `GitHub answered with status ${status}.`, status >= 500);
}
