import { AppError } from "../../../src/core/errors.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import type { ServerSession } from "../../../src/plugins/mcp/client-session.ts";
import { ServerConnection } from "../../../src/plugins/mcp/connection.ts";
import { ManualClock } from "../../playground/manual-clock.ts";
import { programServer } from "./fixture.ts";

const definition = { name: "slow", description: "", inputSchema: {} };
const signal = new AbortController().signal;
const minutes = (count: number) => count * 60_000;

/** Lets time pass, and what waits for it go on. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  await settled();
  clock.advance(ms);
  await settled();
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

interface Running {
  readonly cancelled: AbortSignal;
  news(): void;
  end(): void;
}

/** A connection to a server whose calls a test ends by hand. */
function handmade(clock: ManualClock, open?: () => Promise<ServerSession>) {
  const calls: Running[] = [];
  let unavailable = 0;
  const session = (): ServerSession => ({
    closed: new AbortController().signal,
    protocolVersion: "2025-11-25",
    list: async () => [],
    call: (_definition, _args, { signal: cancelled, onProgress }) =>
      new Promise(
        (resolve) => void calls.push({ cancelled, news: () => onProgress({ progress: 1 }), end: () => resolve({ content: [] }) }),
      ),
    close: async () => undefined,
  });
  const connection = new ServerConnection({
    server: programServer(),
    open: open ?? (async () => session()),
    listed: async () => undefined,
    closed: () => undefined,
    unavailable: () => void unavailable++,
    clock,
    log: silentLogger,
  });
  return { connection, calls, told: () => unavailable, session };
}

describe("H5-MCP-06: how long a call is waited for", () => {
  test("90 seconds with news every 10 are fine", async () => {
    const clock = new ManualClock();
    const { connection, calls } = handmade(clock);
    const call = connection.call(definition, {}, { signal, progress: () => undefined });
    for (let at = 0; at < 9; at++) {
      await pass(clock, 10_000);
      calls[0]?.news();
    }
    calls[0]?.end();
    expect(await call).toEqual({ content: [] });
  });

  test("90 seconds without news are given up after 60: the server is told, nothing is repeated, a late result is nobody's", async () => {
    const clock = new ManualClock();
    const { connection, calls } = handmade(clock);
    const call = connection.call(definition, {}, { signal, progress: () => undefined });
    const outcome = expect(call).rejects.toMatchObject({ name: "TimeoutError", afterMs: 60_000 });
    await pass(clock, 59_999);
    expect(calls[0]?.cancelled.aborted).toBe(false);
    await pass(clock, 1);
    await outcome;
    expect(calls[0]?.cancelled.aborted).toBe(true);
    calls[0]?.end();
    await pass(clock, minutes(1));
    expect(calls).toHaveLength(1);
  });

  test("news do not keep a call alive for ever", async () => {
    const clock = new ManualClock();
    const { connection, calls } = handmade(clock);
    const call = connection.call(definition, {}, { signal, progress: () => undefined });
    const outcome = expect(call).rejects.toMatchObject({ name: "TimeoutError", afterMs: 300_000 });
    for (let at = 0; at < 30; at++) {
      await pass(clock, 10_000);
      calls[0]?.news();
    }
    await outcome;
  });
});

describe("a server that does not start", () => {
  test("T49, F16: it is tried again after longer and longer waits, then left alone, and people are told once", async () => {
    const clock = new ManualClock();
    let tries = 0;
    const broken = handmade(clock, async () => {
      tries += 1;
      throw new AppError("MCP_UNREACHABLE");
    });
    const failed = () => expect(broken.connection.tools()).rejects.toMatchObject({ code: "MCP_UNREACHABLE" });
    await failed();
    await failed();
    expect(tries).toBe(1);
    for (const wait of [500, 1_000, 2_000, 4_000]) {
      await pass(clock, wait);
      await failed();
    }
    expect(tries).toBe(5);
    expect(broken.told()).toBe(1);
    await pass(clock, minutes(4));
    await failed();
    expect(tries).toBe(5);
    await pass(clock, minutes(1));
    await failed();
    expect(tries).toBe(6);
    expect(broken.told()).toBe(1);
  });

  test("one that comes back is used again at once", async () => {
    const clock = new ManualClock();
    let down = true;
    const flaky = handmade(clock, async () => {
      if (down) throw new AppError("MCP_UNREACHABLE");
      return flaky.session();
    });
    await expect(flaky.connection.tools()).rejects.toThrow();
    down = false;
    await pass(clock, 500);
    expect(await flaky.connection.tools()).toEqual({ named: [], leftOut: [] });
  });
});

test("T26: a list is read again within five minutes, whatever the server says of its age", async () => {
  const clock = new ManualClock();
  let read = 0;
  const { connection, session } = handmade(clock, async () => ({
    ...session(),
    list: async () => {
      read += 1;
      return [];
    },
  }));
  await connection.tools();
  await connection.tools();
  expect(read).toBe(1);
  await pass(clock, minutes(5));
  await connection.tools();
  expect(read).toBe(2);
});
