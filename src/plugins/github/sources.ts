import type { Source } from "../contract.ts";
import { plainText } from "../plain-text.ts";
import type { Issue, Repository } from "./client.ts";

/** Longest title, and longest text of an issue, in characters. */
const LONGEST_TITLE = 200;
const LONGEST_BODY = 1_500;

/** A repository with its figures as one quoted line. */
export function repositorySource(found: Repository, rank: number): Source {
  const { full_name, html_url, description, stargazers_count, language, topics, archived, license, pushed_at } = found;
  const facts = [
    plainText(description ?? "", LONGEST_BODY) || "No description.",
    `Stars: ${stargazers_count}.`,
    ...(language ? [`Language: ${plainText(language, 50)}.`] : []),
    ...(license?.spdx_id ? [`Licence: ${plainText(license.spdx_id, 50)}.`] : []),
    ...(topics.length > 0 ? [`Topics: ${plainText(topics.slice(0, 10).join(", "), 300)}.`] : []),
    ...(archived ? ["Archived."] : []),
  ];
  return { id: html_url, title: plainText(full_name, LONGEST_TITLE), url: html_url, passage: facts.join(" "), ...rest(rank, pushed_at) };
}

/** An issue with the beginning of its text. */
export function issueSource({ html_url, number, title, state, body, user, labels, comments, updated_at }: Issue, rank: number): Source {
  const facts = [
    `State: ${plainText(state, 20)}.`,
    ...(user ? [`By: ${plainText(user.login, 50)}.`] : []),
    ...(labels.length > 0 ? [`Labels: ${plainText(labels.map(({ name }) => name).join(", "), 300)}.`] : []),
    `Comments: ${comments}.`,
    plainText(body ?? "", LONGEST_BODY),
  ];
  return {
    id: html_url,
    title: `${plainText(title, LONGEST_TITLE)} (${repositoryOf(html_url)}#${number})`,
    url: html_url,
    passage: facts.join(" ").trim(),
    ...rest(rank, updated_at),
  };
}

/** "owner/name" of an issue's address. */
const repositoryOf = (address: string): string => /^https?:\/\/[^/]+\/([\w.-]+\/[\w.-]+)\//.exec(address)?.[1] ?? "";

function rest(rank: number, changed: string | null | undefined): Pick<Source, "relevance" | "timestamp"> {
  const date = new Date(changed ?? "");
  return { relevance: Math.round(100 / (1 + rank / 10)) / 100, ...(!Number.isNaN(date.getTime()) && { timestamp: date.toISOString() }) };
}

/** Addresses that can be cited; others are not GitHub's. */
export const citable = ({ html_url }: { readonly html_url: string }): boolean => /^https?:\/\/\S+$/.test(html_url);
