import { parseDocument, stringify, visit } from "yaml";
import { z } from "zod";
import { AppError } from "../core/errors.ts";
import { checkServer } from "./check-server.ts";
import type { ServerEntry } from "./workspace-servers.ts";

/** A list of servers is a page of text. Characters. */
const LONGEST_FILE = 50_000;

const file = z.strictObject({ servers: z.record(z.string(), z.unknown()) });

/**
 * Reads a workspace's own servers from YAML, in the form of the operator's list as far as it is about servers elsewhere. Values are taken as
 * they are: nothing in them is expanded.
 * @throws AppError SERVERS_INVALID that lists every mistake, never a value
 */
export function readServerFile(yaml: string, origins: readonly string[]): readonly ServerEntry[] {
  if (yaml.length > LONGEST_FILE) throw invalid([`the file has more than ${LONGEST_FILE} characters.`]);
  const document = parseDocument(yaml, { version: "1.2", prettyErrors: false });
  const broken = [...document.errors, ...document.warnings].map(() => "it is not valid YAML.");
  // A few lines of aliases can stand for gigabytes.
  visit(document, { Alias: () => void broken.push("aliases are not used here.") });
  if (broken.length > 0) throw invalid([...new Set(broken)]);
  const { data, error } = file.safeParse(document.toJS());
  if (!data) throw invalid(error.issues.map(({ path, message }) => `${path.join(".") || "the file"}: ${message}.`));
  const read = Object.entries(data.servers).map(([name, given]) => {
    const whole = typeof given === "object" && given !== null && !("name" in given) ? { ...given, name } : undefined;
    return { name, checked: checkServer(whole, origins) };
  });
  const mistakes = read.flatMap(({ name, checked }) =>
    "mistakes" in checked ? checked.mistakes.map(({ field, text }) => `servers.${name}: ${sentence(field, text)}`) : [],
  );
  if (mistakes.length > 0) throw invalid(mistakes);
  return read.flatMap(({ checked }) => ("entry" in checked ? [checked.entry] : []));
}

const sentence = (field: string, text: string): string => `${field === "program" ? "" : `${field} `}${text}.`;

/** A server as YAML: what `readServerFile` reads back, without its secret; one that stands there already keeps it. */
export function writeServer({ name, title, url, access }: ServerEntry): string {
  const settings = {
    title,
    url,
    ...(access.kind === "header" && { header: { name: access.header } }),
    ...(access.kind === "login" && {
      login: {
        issuer: access.issuer,
        ...(access.scopes.length > 0 && { scopes: access.scopes }),
        ...(access.clientId !== undefined && { client_id: access.clientId }),
      },
    }),
  };
  return stringify({ servers: { [name]: settings } }, { lineWidth: 0, version: "1.2", aliasDuplicateObjects: false });
}

const invalid = (mistakes: readonly string[]) =>
  new AppError("SERVERS_INVALID", `\n${mistakes.map((mistake) => `- ${mistake}`).join("\n")}`);
