import type { FetchLimits } from "./port.ts";

const MIB = 1024 * 1024;

/** What a request gets unless its caller says otherwise: enough for a web page. */
export const standardLimits: FetchLimits = {
  connectMs: 5_000,
  totalMs: 15_000,
  receivedBytes: 2 * MIB,
  bytes: 8 * MIB,
  redirects: 5,
};

/** How many times its size a compressed body may grow. */
export const LARGEST_RATIO = 100;
/** Up to here a body may grow as it likes: pages that repeat themselves are small and harmless. In bytes. */
export const RATIO_FROM = 256 * 1024;
/** All header fields of a response together, in bytes. */
export const LARGEST_HEADER = 32 * 1024;
/** Requests of one tenant that run at the same moment. */
export const AT_ONCE = 4;
