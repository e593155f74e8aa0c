import { isIP } from "node:net";
import { AppError } from "../core/errors.ts";
import { isPublicAddress } from "./public-address.ts";

/** All addresses of a name, in the order in which they should be tried. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Where a request goes: to one of these addresses, which were checked, and to no other. */
export interface Destination {
  readonly url: URL;
  readonly addresses: readonly string[];
  readonly port: number;
}

const ports: ReadonlySet<number> = new Set([80, 443]);

/**
 * Reads an address as it was written.
 * @throws AppError FETCH_REFUSED for anything but http and https, and for user names
 */
export function readAddress(raw: string | URL, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(raw, base);
  } catch {
    throw refused("It is no web address.");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refused("Only addresses with http and https are fetched.");
  if (url.username !== "" || url.password !== "") throw refused("It holds a user name or password.");
  url.hash = "";
  return url;
}

/**
 * Finds out to which address a request goes. The URL parser has brought every way to write a number (decimal, hex, octal, full-width) into
 * one form before; a name is resolved here, once, and all its addresses must be public.
 * @param exempt whether the rules on addresses and ports do not hold for this origin
 * @throws AppError FETCH_REFUSED, FETCH_FAILED
 */
export async function destinationOf(url: URL, exempt: boolean, resolve: Resolve): Promise<Destination> {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  if (!exempt && !ports.has(port)) throw refused("Only the ports 80 and 443 are open.");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(host) ? [host] : await addressesOf(host, resolve);
  if (addresses.length === 0) throw new AppError("FETCH_FAILED", "Its host has no address.");
  // One private address among public ones is how a name is made to lead inside later.
  if (!exempt && !addresses.every(isPublicAddress)) throw refused("Its host is not on the public internet.");
  return { url, addresses, port };
}

async function addressesOf(host: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(host);
  } catch (cause) {
    throw new AppError("FETCH_FAILED", "Its host cannot be found.", { cause });
  }
}

export const refused = (why: string): AppError => new AppError("FETCH_REFUSED", why);
