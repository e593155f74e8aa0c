import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { extname, join, normalize, sep } from "node:path";

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".map": "application/json",
};

/** The page may load and run only what this server gives it, and nobody may frame it. */
const pageHeaders = {
  "content-security-policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
} as const;

/** Answers with a file of the built page; `/` is index.html. @returns false when there is no such file in the folder */
export async function serveFile(folder: string, path: string, response: ServerResponse): Promise<boolean> {
  const file = normalize(join(folder, decodePath(path === "/" ? "/index.html" : path)));
  const type = contentTypes[extname(file)];
  if (!type || !file.startsWith(normalize(folder) + sep)) return false;
  const body = await readFile(file).catch(() => undefined);
  if (!body) return false;
  response.writeHead(200, { ...pageHeaders, "content-type": type });
  response.end(body);
  return true;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return "/";
  }
}
