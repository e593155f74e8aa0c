import { type Check, failed, ok, warning } from "../../../core/check.ts";
import { AppError } from "../../../core/errors.ts";
import type { IndexStatus } from "./index-rows.ts";
import type { MeiliServer } from "./meili-server.ts";

/** The first version that has every setting of the index (typos in numbers can be ruled out). */
const LEAST_VERSION = [1, 15] as const;
const NAME = "Meilisearch";

/** Whether the server answers, is new enough, and which keys it was given. */
export async function checkMeilisearch(server: MeiliServer): Promise<Check> {
  try {
    const version = await server.version();
    await server.requireSearchKey();
    if (isOlder(version)) return failed(NAME, `It is version ${version}.`, `Update it to ${LEAST_VERSION.join(".")} or newer.`);
    if (await server.readsKeys())
      return warning(
        NAME,
        `Version ${version} answers. MEILI_KEY may read keys too, as a master key may.`,
        "Give it a key of its own without rights on keys (docs/operating.md), and set MEILI_SEARCH_KEY and MEILI_SEARCH_KEY_ID.",
      );
    return ok(NAME, `Version ${version} answers.`);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    return failed(NAME, thrown.detail ?? thrown.sentence, "Check MEILI_URL, MEILI_KEY and MEILI_SEARCH_KEY.");
  }
}

/** How far a workspace's index has come. */
export function indexCheck(workspace: string, { documents, waiting, failures }: IndexStatus): Check {
  const name = `Full text ${workspace}`;
  const sum = `${documents - Math.min(documents, waiting)} of ${documents} documents are in the index.`;
  const [first] = failures;
  if (!first) return ok(name, sum);
  const others = failures.length > 1 ? ` (and ${failures.length - 1} more)` : "";
  return warning(
    name,
    `${sum} Not taken: ${first.title}${others}. ${first.reason}`,
    "It is tried again later. Look at the server's task queue.",
  );
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1]);
}
