import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type Check, failedBy, ok } from "../core/check.ts";
import type { Clock } from "../core/clock.ts";
import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { Secret } from "../core/secret.ts";
import { createDataSource } from "./data-source.ts";
import { databaseChecks } from "./database-checks.ts";
import { startEmbedded } from "./embedded/embedded.ts";
import { outward } from "./failures.ts";
import { connect } from "./server.ts";
import { asInternal } from "./statement-guard.ts";

export interface ClosedDatabase {
  readonly url?: Secret | undefined;
  readonly home: string;
  readonly clock: Clock;
  readonly log: Logger;
}

/** How long a server may take to answer somebody who waits at a terminal. */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Checks a database that no program of ours holds open: connects once, makes nothing and changes nothing. An embedded one is locked
 * meanwhile.
 */
export async function checkClosedDatabase({ url, home, clock, log }: ClosedDatabase): Promise<readonly Check[]> {
  if (!url && !(await exists(join(home, "database")))) return [ok("Database", "The embedded database will be made at the first start.")];
  try {
    if (url) {
      const create = () => createDataSource({ address: { url: url.reveal() }, poolSize: 1, connectTimeoutMs: CONNECT_TIMEOUT_MS, log });
      const source = await connect(create, clock, log, 1);
      return await databaseChecks(source, "server").finally(() => source.destroy());
    }
    const embedded = await startEmbedded(home, clock, log);
    try {
      const source = createDataSource({ address: embedded, poolSize: 1, connectTimeoutMs: 0, log });
      await asInternal(() => source.initialize());
      return await databaseChecks(source, "embedded").finally(() => source.destroy());
    } finally {
      await embedded.close();
    }
  } catch (thrown) {
    return [unreachable(outward(thrown))];
  }
}

/** The reason (a refused password, a name that does not resolve) is part of the sentence; the mend is the operator's. */
function unreachable(thrown: unknown): Check {
  const check = failedBy("Database", thrown);
  if (!(thrown instanceof AppError) || thrown.code !== "DATABASE_UNREACHABLE") return check;
  const mend = "Check that it runs, and DATABASE_URL (host, port, database, user, password).";
  return { ...check, summary: `${thrown.sentence} ${thrown.detail ?? ""}`.trim(), mend };
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
