import { parseSync } from "@swc/core";

/** What the rules need to know of one source file. */
export interface SourceFile {
  /** From the repository's root, with forward slashes. */
  readonly path: string;
  readonly lines: number;
  /** Module specifiers of every kind: import, export from, import type, import(), import("x").Y, and compiledEntry for threads. */
  readonly imports: readonly string[];
  /** Expressions that read the time, e.g. "Date.now". */
  readonly readsTime: readonly string[];
  /** Expressions that read the environment, e.g. "process.env". */
  readonly readsEnvironment: readonly string[];
  /** Modules and globals that open connections, e.g. "fetch" or "node:net". What only listens is not among them. */
  readonly opensConnections: readonly string[];
}

type Node = Record<string, unknown> & { readonly type: string };

/** Parses TypeScript, so that comments and strings cannot be taken for code. */
export function readSource(path: string, code: string): SourceFile {
  const imports: string[] = [];
  const readsTime: string[] = [];
  const readsEnvironment: string[] = [];
  const opensConnections: string[] = [];

  walk(parsed(path, code), (node) => {
    const specifier = importedBy(node);
    if (specifier !== undefined) imports.push(specifier);
    const time = timeRead(node);
    if (time) readsTime.push(time);
    const environment = environmentRead(node);
    if (environment) readsEnvironment.push(environment);
    const connection = connectionOpened(node);
    if (connection) opensConnections.push(connection);
  });
  const lines = code.split("\n").length - (code.endsWith("\n") ? 1 : 0);
  return { path, lines, imports, readsTime, readsEnvironment, opensConnections };
}

function parsed(path: string, code: string): unknown {
  try {
    return parseSync(code, { syntax: "typescript", tsx: path.endsWith("x"), target: "es2022" });
  } catch (cause) {
    throw new Error(`${path} cannot be parsed.`, { cause });
  }
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  else if (typeof value === "object" && value !== null) {
    if (typeof (value as Node).type === "string") visit(value as Node);
    for (const inner of Object.values(value)) walk(inner, visit);
  }
}

function importedBy(node: Node): string | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
      return text(node.source);
    case "TsImportType":
      return text(node.argument);
    case "TsExternalModuleReference":
      return text(node.expression);
    case "CallExpression": {
      const callee = node.callee as Node;
      const target = text(argument(node));
      if (name(callee) === "compiledEntry") return target?.endsWith(".ts") === false ? undefined : (target ?? "(computed)");
      return callee.type === "Import" || name(callee) === "require" ? (target ?? "(computed)") : undefined;
    }
    default:
      return undefined;
  }
}

function timeRead(node: Node): string | undefined {
  const member = memberOf(node);
  if (member && /^(globalThis\.)?(Date\.now|performance\.\w+|process\.hrtime)$/.test(member)) return member;
  if (member === "globalThis.Date" || member === "globalThis.performance") return member;
  if (node.type === "NewExpression" && name(node.callee) === "Date" && !argument(node)) return "new Date()";
  if (node.type === "CallExpression" && name(node.callee) === "Date") return "Date()";
  if (node.type === "ImportDeclaration" && /^(node:)?perf_hooks$/.test(text(node.source) ?? "")) return "perf_hooks";
  if (node.type === "VariableDeclarator" && ["Date", "performance"].includes(name(node.init) ?? "")) return `= ${name(node.init)}`;
  return undefined;
}

function environmentRead(node: Node): string | undefined {
  const member = memberOf(node);
  if (member === "process.env" || member === "globalThis.process") return member;
  if (node.type === "ImportDeclaration" && /^(node:)?process$/.test(text(node.source) ?? "")) return "node:process";
  if (node.type === "VariableDeclarator" && name(node.init) === "process") return "= process";
  return undefined;
}

const networkModule =
  /^(?:node:)?(?:net|tls|http|https|http2|dgram|dns|dns\/promises)$|^(?:undici|ws|axios|got|ky|needle|superagent|node-fetch|cross-fetch|eventsource)(?:\/|$)/;
const networkGlobal = /^(?:fetch|WebSocket|EventSource|XMLHttpRequest)$/;
/** What of those modules waits for others to connect, or only describes. */
const inbound = /^(?:createServer|Server|AddressInfo|isIP|isIPv4|isIPv6|BlockList|STATUS_CODES)$/;

function connectionOpened(node: Node): string | undefined {
  const member = memberOf(node);
  if (member && /^(?:globalThis|global|window)\./.test(member) && networkGlobal.test(member.split(".")[1] ?? "")) return member;
  const named = [
    node.type === "CallExpression" || node.type === "NewExpression" ? node.callee : undefined,
    node.type === "VariableDeclarator" ? node.init : undefined,
    node.type === "KeyValueProperty" ? node.value : undefined,
    ...(Array.isArray(node.arguments) ? (node.arguments as { expression: unknown }[]).map(({ expression }) => expression) : []),
  ]
    .map(name)
    .find((each) => each !== undefined && networkGlobal.test(each));
  if (named) return named;
  const specifier = importedBy(node);
  if (specifier === undefined || !networkModule.test(specifier) || node.typeOnly === true || node.type === "TsImportType") return undefined;
  const specifiers = node.specifiers as readonly ImportSpecifier[] | undefined;
  const harmless = specifiers?.every(({ type, isTypeOnly, local, imported }) => {
    const original = imported?.value ?? local?.value ?? "";
    return type === "ImportSpecifier" && (isTypeOnly === true || inbound.test(original));
  });
  return specifiers && specifiers.length > 0 && harmless ? undefined : specifier;
}

interface ImportSpecifier {
  readonly type: string;
  readonly isTypeOnly?: boolean;
  readonly local?: { readonly value: string };
  readonly imported?: { readonly value: string } | null;
}

/** `a.b` or `a["b"]` as "a.b"; nothing for other nodes. */
function memberOf(node: Node): string | undefined {
  if (node.type !== "MemberExpression") return undefined;
  const object = name(node.object) ?? memberOf(node.object as Node);
  const property = node.property as Node;
  const key = property.type === "Computed" ? text(property.expression) : name(property);
  return object !== undefined && key !== undefined ? `${object}.${key}` : undefined;
}

const name = (node: unknown): string | undefined =>
  (node as Node | null | undefined)?.type === "Identifier" ? ((node as Node).value as string) : undefined;

const text = (node: unknown): string | undefined =>
  (node as Node | null | undefined)?.type === "StringLiteral" ? ((node as Node).value as string) : undefined;

const argument = (node: Node): unknown => (node.arguments as { expression: unknown }[] | null | undefined)?.[0]?.expression;
