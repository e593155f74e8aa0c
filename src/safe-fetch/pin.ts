import { lookup } from "node:dns/promises";
import { destinationOf, type Resolve, readAddress } from "./destination.ts";
import type { Pin } from "./port.ts";

/** The system's resolver. */
export const systemResolve: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, order: "ipv4first" })).map(({ address }) => address);

/** Makes the look-up for programs of their own that go to configured addresses. */
export function createPin({
  internalOrigins = [],
  resolve = systemResolve,
}: {
  readonly internalOrigins?: readonly string[];
  readonly resolve?: Resolve;
}): Pin {
  return async (raw) => {
    const url = readAddress(raw);
    const { addresses, port } = await destinationOf(url, internalOrigins.includes(url.origin), resolve);
    return { addresses, port };
  };
}
