import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import { AppError } from "../../core/errors.ts";
import { Secret } from "../../core/secret.ts";
import type { LoginRules, McpServer } from "./server.ts";

/** Longest time one call may take: what a tool can be granted at all. */
const LONGEST_SECONDS = 300;

/** Longest time for which a result may be used again. */
const LONGEST_FRESH_SECONDS = 86_400;

const absolute = z.string().refine((path) => isAbsolute(path) && !path.includes("\0"), "must be an absolute path");
const argument = z.string().refine((text) => !text.includes("\0"), "must not hold a zero character");
const effect = z.enum(["read-inside", "read-outside", "side-effect", "destructive"]);
const variable = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is no name of a variable");
const headerName = z.string().regex(/^[A-Za-z0-9-]+$/, "is no name of a header");
const seconds = (standard: number) => z.number().min(1).max(LONGEST_SECONDS).default(standard);

const sandbox = z.strictObject({
  network: z.boolean().default(false),
  read: z.array(absolute).default([]),
  write: z.array(absolute).default([]),
  memory_mib: z.number().int().min(32).max(65_536).default(1_024),
  processes: z.number().int().min(1).max(10_000).default(128),
});

const common = {
  title: z.string().min(1).max(40).optional(),
  workspaces: z.array(z.string()).min(1).optional(),
  effects: z.record(z.string(), effect).default({}),
  fresh_seconds: z.record(z.string(), z.number().min(1).max(LONGEST_FRESH_SECONDS)).default({}),
  sampling: z.boolean().default(false),
  silence_seconds: seconds(60),
  total_seconds: seconds(LONGEST_SECONDS),
};

const program = z.strictObject({
  ...common,
  command: absolute,
  args: z.array(argument).default([]),
  env: z.record(variable, argument).default({}),
  env_files: z.record(variable, absolute).default({}),
  sandbox: z.union([z.literal("none"), sandbox]).optional(),
});

const remote = z.strictObject({
  ...common,
  url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }),
  headers: z.record(headerName, z.string().regex(/^[^\r\n\0]*$/, "must be one line")).default({}),
  header_files: z.record(headerName, absolute).default({}),
  login: z
    .strictObject({
      issuer: z.url({ protocol: /^https?$/, error: "must be the address of the authorization server" }),
      scopes: z.array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, "is no name of a scope")).default([]),
      client_id: z.string().min(1).optional(),
      client_secret_file: absolute.optional(),
    })
    .optional(),
});

const file = z.strictObject({ servers: z.record(z.string(), z.unknown()) });

/**
 * Reads the operator's list of external servers. Values are taken as they are: nothing in them is expanded.
 * @throws AppError CONFIG_INVALID that lists every mistake, never a value
 */
export function readServers(yaml: string): readonly McpServer[] {
  const mistakes: string[] = [];
  const document = parseDocument(yaml);
  mistakes.push(...document.errors.map(({ linePos }) => `line ${linePos?.[0].line ?? "?"}: it is not valid YAML.`));
  const { data, error } = file.safeParse(mistakes.length > 0 ? { servers: {} } : document.toJS());
  if (error) mistakes.push(...error.issues.map(sentence));
  const servers = Object.entries(data?.servers ?? {}).map(([name, given]) => readServer(name, given, mistakes));
  if (mistakes.length > 0)
    throw new AppError("CONFIG_INVALID", `FOOTNOTE_MCP_FILE:\n${mistakes.map((mistake) => `- ${mistake}`).join("\n")}`);
  return servers.filter((server) => server !== undefined);
}

function readServer(name: string, given: unknown, mistakes: string[]): McpServer | undefined {
  if (!/^[a-z][a-z0-9-]{0,23}$/.test(name))
    mistakes.push(`servers.${name}: is no name of a server: lower case, digits and hyphens, at most 24.`);
  const isProgram = typeof given === "object" && given !== null && "command" in given;
  const { data, error } = isProgram ? program.safeParse(given) : remote.safeParse(given);
  if (error) mistakes.push(...error.issues.map((issue) => sentence({ ...issue, path: ["servers", name, ...issue.path] })));
  if (!data) return undefined;
  return {
    name,
    title: data.title ?? name,
    workspaces: data.workspaces,
    effects: data.effects,
    freshMs: Object.fromEntries(Object.entries(data.fresh_seconds).map(([tool, seconds]) => [tool, seconds * 1_000])),
    sampling: data.sampling,
    silenceMs: data.silence_seconds * 1_000,
    totalMs: data.total_seconds * 1_000,
    transport: "command" in data ? programOf(name, data, mistakes) : remoteOf(name, data, mistakes),
  };
}

function programOf(name: string, { command, args, env, env_files, sandbox: given }: z.infer<typeof program>, mistakes: string[]) {
  const { memory_mib, ...rules } = given === undefined || given === "none" ? sandbox.parse({}) : given;
  return {
    kind: "stdio" as const,
    command,
    args,
    env: secrets(env, env_files, `servers.${name}.env_files`, mistakes),
    sandbox: given === "none" ? undefined : { ...rules, memoryMib: memory_mib },
  };
}

function remoteOf(name: string, { url, headers, header_files, login }: z.infer<typeof remote>, mistakes: string[]) {
  if (login) {
    // It would go out in place of each person's own.
    if (Object.keys({ ...headers, ...header_files }).some((header) => header.toLowerCase() === "authorization"))
      mistakes.push(`servers.${name}: a server with login takes no Authorization header: each person has their own.`);
    if ([url, login.issuer].some(isReadable))
      mistakes.push(`servers.${name}: with login, addresses must be https, but for this machine's own.`);
  }
  return {
    kind: "http" as const,
    url,
    headers: secrets(headers, header_files, `servers.${name}.header_files`, mistakes),
    ...(login && { login: loginOf(name, login, mistakes) }),
  };
}

/** Whether people's tokens could be read on the way there. */
function isReadable(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function loginOf(
  name: string,
  { issuer, scopes, client_id: id, client_secret_file: file }: NonNullable<z.infer<typeof remote>["login"]>,
  mistakes: string[],
): LoginRules {
  if (file !== undefined && id === undefined) mistakes.push(`servers.${name}.login: a secret belongs to a client_id.`);
  const { secret } = secrets({}, file === undefined ? {} : { secret: file }, `servers.${name}.login.client_secret_file`, mistakes);
  return { issuer, scopes, ...(id !== undefined && { client: { id, ...(secret && { secret }) } }) };
}

function secrets(values: Readonly<Record<string, string>>, files: Readonly<Record<string, string>>, at: string, mistakes: string[]) {
  const read = Object.entries(files).map(([name, path]) => {
    try {
      return [name, readFileSync(path, "utf8").trim()] as const;
    } catch {
      mistakes.push(`${at}.${name} cannot be read: check that the file exists and that this user may read it.`);
      return [name, ""] as const;
    }
  });
  return Object.fromEntries([...Object.entries(values), ...read].map(([name, value]) => [name, new Secret(value)]));
}

const sentence = ({ path, message }: { readonly path: readonly PropertyKey[]; readonly message: string }): string =>
  `${path.join(".")}: ${message}.`;
