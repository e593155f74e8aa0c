import { isIP } from "node:net";
import { z } from "zod";
import { Secret } from "../core/secret.ts";
import { visibleText } from "../core/visible-text.ts";
import type { ServerEntry } from "./workspace-servers.ts";

/** Longest texts of a server's fields, in characters. */
export const longest = { name: 24, title: 40, url: 500, header: 60, secret: 2_000, issuer: 500, scopes: 500, clientId: 200 } as const;

/** The fields that people fill in. "program": anything that a server elsewhere does not have, such as a command. */
export type ServerField = keyof typeof longest | "program";

export interface ServerMistake {
  readonly field: ServerField;
  /** For operators, in English. */
  readonly text: string;
}

/** Headers that belong to the protocol or to the connection. */
const ownHeaders =
  /^(?:host|cookie2?|content-.*|accept(?:-.*)?|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|origin|referer|via|forwarded|x-forwarded-.*|proxy-.*|sec-.*|mcp-.*|last-event-id|user-agent)$/i;

const upTo = (field: keyof typeof longest) => z.string().max(longest[field], `has more than ${longest[field]} characters`);
const oneLine = (text: string): boolean => visibleText(text) === text.normalize("NFC") && !/[\n\r\t]/.test(text) && text.trim() !== "";
/** Names of scopes, as OAuth has them. */
const scope = /^[\x21\x23-\x5B\x5D-\x7E]+$/;

const entry = z.strictObject({
  name: upTo("name").regex(
    /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
    "must be lower case letters, digits and single hyphens, and begin with a letter",
  ),
  title: upTo("title").refine(oneLine, "must be one line of text that people can see").optional(),
  url: upTo("url"),
  header: z
    .strictObject({
      name: upTo("header")
        .regex(/^[A-Za-z][A-Za-z0-9-]*$/, "is no name of a header")
        .refine((name) => !ownHeaders.test(name), "is a header that the protocol sets itself"),
      value: upTo("secret")
        .regex(/^[\x20-\x7E]*\S[\x20-\x7E]*$/, "must be one line of plain characters")
        .optional(),
    })
    .optional(),
  login: z
    .strictObject({
      issuer: upTo("issuer"),
      scopes: z
        .array(z.string().regex(scope, "is no name of a scope"))
        .refine((all) => all.join(" ").length <= longest.scopes, `have more than ${longest.scopes} characters`)
        .default([]),
      client_id: upTo("clientId")
        .regex(/^[\x20-\x7E]+$/, "must be one line of plain characters")
        .optional(),
    })
    .optional(),
});

/**
 * Reads a server that a workspace's admins describe. Values are taken as they are: nothing in them is expanded. No name is looked up: what
 * is said here depends on the text alone, so that it tells nothing about anybody's network.
 * @param origins origins inside the operator's network that servers may be at, e.g. "http://127.0.0.1:8123"
 */
export function checkServer(
  raw: unknown,
  origins: readonly string[] = [],
): { readonly entry: ServerEntry } | { readonly mistakes: readonly ServerMistake[] } {
  const { data, error } = entry.safeParse(raw);
  const mistakes = error ? error.issues.flatMap(mistakesOf) : [];
  const given = (raw ?? {}) as { readonly url?: unknown; readonly login?: { readonly issuer?: unknown } | null };
  const address = (field: "url" | "issuer", value: unknown) => {
    const fault = typeof value === "string" ? addressFault(value, origins) : undefined;
    if (fault) mistakes.push({ field, text: fault });
  };
  address("url", given.url);
  address("issuer", given.login?.issuer);
  if (data?.header && data.login) mistakes.push({ field: "header", text: "is not sent where each person logs in: leave one of both out" });
  if (!data || mistakes.length > 0) return { mistakes };
  return { entry: { name: data.name, title: data.title?.normalize("NFC").trim() ?? data.name, url: data.url, access: accessOf(data) } };
}

function accessOf({ header, login }: z.infer<typeof entry>): ServerEntry["access"] {
  if (header)
    return { kind: "header", header: header.name, ...(header.value !== undefined && { secret: new Secret(header.value.trim()) }) };
  if (!login) return { kind: "open" };
  const { issuer, scopes, client_id: clientId } = login;
  return { kind: "login", issuer, scopes, ...(clientId !== undefined && { clientId }) };
}

/** Why an address cannot be an admin's; undefined when it can. */
function addressFault(text: string, origins: readonly string[]): string | undefined {
  // The URL parser leaves line ends out without a word.
  if (!/^[\x21-\x7E]+$/.test(text) || !URL.canParse(text)) return "is no web address";
  const { protocol, username, password, hash, origin, port, hostname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return "must begin with https://";
  if (username !== "" || password !== "" || hash !== "") return "must hold no user name, password or #";
  if (origins.includes(origin)) return undefined;
  if (protocol !== "https:") return "must begin with https://";
  if (port !== "") return "must not name a port";
  const host = hostname.replace(/^\[|\]$|\.$/g, "");
  return isIP(host) || !host.includes(".") ? "must name its host by a full name, such as mcp.example.com" : undefined;
}

const fields: Readonly<Record<string, ServerField>> = {
  "": "program",
  name: "name",
  title: "title",
  url: "url",
  header: "header",
  "header.name": "header",
  "header.value": "secret",
  login: "issuer",
  "login.issuer": "issuer",
  "login.scopes": "scopes",
  "login.client_id": "clientId",
};

function mistakesOf(issue: z.core.$ZodIssue): readonly ServerMistake[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({
      field: "program",
      text: `${key} is nothing that a workspace's server has: programs are named by the operator alone`,
    }));
  const path = issue.path.filter((part) => typeof part === "string").join(".");
  return [{ field: fields[path] ?? "program", text: issue.message }];
}
