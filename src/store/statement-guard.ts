import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { AppError } from "../core/errors.ts";
import { type Preparing, preparedName } from "./prepared.ts";

/**
 * Who may talk to the database at this moment. The pg driver handed to TypeORM asks here before every connection and every
 * statement, so a forgotten query cannot run without a tenant: not through a leaked manager, not through the data source.
 */
export interface StatementContext {
  /** The one connection of this transaction, once it is checked out. */
  connection: object | undefined;
  /** "own": the store's statements around the work; "work": the caller's; "ended": nothing may run any more. */
  phase: "own" | "work" | "ended";
}

const contexts = new AsyncLocalStorage<StatementContext | "internal">();

/** TypeORM's set-up, role checks and migrations: statements of the store itself, with no tenant's rows in sight. */
export const asInternal = <T>(work: () => Promise<T>): Promise<T> => contexts.run("internal", work);

/** Opens a context for one transaction. A second one inside the first would wait for itself on the embedded database: refused. */
export function inContext<T>(work: (context: StatementContext) => Promise<T>): Promise<T> {
  const outer = contexts.getStore();
  if (typeof outer === "object" && outer.phase !== "ended") {
    throw new AppError("NO_TENANT_CONTEXT", "A transaction was opened inside another one: use the manager at hand.");
  }
  const context: StatementContext = { connection: undefined, phase: "own" };
  return contexts.run(context, () => work(context));
}

/** Transaction control and changes of role or tenant belong to the store alone. */
const forbiddenInWork =
  /^\s*(begin|start\s+transaction|commit|end|abort|rollback(?!\s+to\b)|prepare\s+transaction|reset|discard|deallocate|set\s+(?!local\b|constraints\b)|set\s+local\s+role\b)/i;

const changesTenant = /set_config\s*\(\s*'app\.tenant_id|\bset\s+(local\s+|session\s+)?app\.tenant_id/i;

function checkConnect(): void {
  const context = contexts.getStore();
  if (context === "internal") return;
  if (context?.phase === "own" && context.connection === undefined) return;
  throw new AppError("NO_TENANT_CONTEXT");
}

function checkQuery(connection: object, query: unknown): void {
  const context = contexts.getStore();
  const text = typeof query === "string" ? query : String((query as { text?: unknown } | undefined)?.text ?? "");
  if (typeof query === "object" && query !== null && "name" in query && query.name) {
    throw new AppError("NO_TENANT_CONTEXT", "Statements get their names from the store alone.");
  }
  if (context === "internal") return;
  if (!context || context.phase === "ended" || context.connection !== connection) throw new AppError("NO_TENANT_CONTEXT");
  if (context.phase === "work" && (forbiddenInWork.test(text) || changesTenant.test(text))) {
    throw new AppError("NO_TENANT_CONTEXT", "Transactions, role and tenant are set by the store alone.");
  }
}

/**
 * Postgres's text takes no NUL, which a model or a message may hold: one in an answer must not make the answer unstorable for ever. It
 * is replaced rather than dropped, so that no string becomes equal to another one.
 */
function replaceNul(args: unknown[]): void {
  const [query, values] = args;
  if (Array.isArray(values)) args[1] = values.map(withoutNul);
  const inner = query as { values?: unknown } | undefined;
  if (typeof inner === "object" && Array.isArray(inner.values)) inner.values = inner.values.map(withoutNul);
}

const withoutNul = (value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : Array.isArray(value) ? value.map(withoutNul) : value;

type Callable = (...args: unknown[]) => unknown;

/** Puts a check in front of a method of one object (and one behind it), without restating the driver's many overloads. */
function guard(
  target: object,
  method: string,
  before: (args: unknown[]) => void,
  after = (_: readonly unknown[], result: unknown) => result,
): void {
  const original = Reflect.get(target, method) as Callable;
  Reflect.set(target, method, (...args: unknown[]) => {
    before(args);
    return after(args, Reflect.apply(original, target, args));
  });
}

/** Postgres answers COMMIT with ROLLBACK, and no error, when the work has swallowed a failed statement: then nothing was stored. */
function checkCommitted([query]: readonly unknown[], result: unknown): unknown {
  if (query !== "COMMIT" || !(result instanceof Promise)) return result;
  return result.then((done: { command?: string }) => {
    if (done.command === "COMMIT") return done;
    throw new AppError("INTERNAL", "A failed statement was ignored, so the whole transaction was rolled back.");
  });
}

/** Gives a statement the name under which connections keep it, if it is one of those. */
function nameStatement(args: unknown[]): void {
  const [text, values] = args;
  const name = typeof text === "string" && Array.isArray(values) ? preparedName(text) : undefined;
  if (name) args.splice(0, 2, { name, text, values });
}

class GuardedClient extends pg.Client {
  /** @param config with `preparing` where connections may keep statements */
  constructor(config?: pg.ClientConfig & { readonly preparing?: Preparing }) {
    super(config);
    const before = (args: unknown[]) => {
      checkQuery(this, args[0]);
      replaceNul(args);
      if (config?.preparing?.on) nameStatement(args);
    };
    guard(this, "query", before, checkCommitted);
  }
}

class GuardedPool extends pg.Pool {
  constructor(config?: pg.PoolConfig) {
    super({ ...config, Client: GuardedClient });
    guard(this, "connect", checkConnect);
  }
}

/** The pg driver as TypeORM wants it, with the checks built in. */
export const guardedDriver = { ...pg, Client: GuardedClient, Pool: GuardedPool, native: undefined };
