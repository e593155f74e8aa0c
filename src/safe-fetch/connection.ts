import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { LRUCache } from "lru-cache";
import { type buildConnector, Pool } from "undici";
import { type Clock, notNeeded } from "../core/clock.ts";
import { AppError, messageOf } from "../core/errors.ts";
import type { Destination } from "./destination.ts";
import { LARGEST_HEADER } from "./limits.ts";

/** Opens a connection to one address and begins encryption where a server's name is given. */
export type Dial = (to: { readonly address: string; readonly port: number; readonly servername?: string }) => Socket;

/** Addresses of one name that are tried, one after the other. */
const MOST_ADDRESSES = 3;
/** Destinations to which connections are kept open. */
const MOST_POOLS = 64;

/** Connects through the system, without any proxy of the environment. */
export const systemDial: Dial = ({ address, port, servername }) =>
  servername === undefined
    ? connect({ host: address, port })
    : // An address in place of a name has no name to be told; its certificate is checked against the address.
      connectTls({ host: address, port, ALPNProtocols: ["http/1.1"], ...(servername !== "" && { servername }) });

/** Keeps connections for further requests, each only to the addresses that were checked for it. */
export class Connections {
  readonly #dial: Dial;
  readonly #clock: Clock;
  readonly #pools = new LRUCache<string, Pool>({ max: MOST_POOLS, dispose: (pool) => void pool.close().catch(() => undefined) });

  constructor(dial: Dial, clock: Clock) {
    this.#dial = dial;
    this.#clock = clock;
  }

  to(destination: Destination, connectMs: number): Pool {
    const { url, addresses } = destination;
    const key = [url.origin, connectMs, ...addresses].join(" ");
    const known = this.#pools.get(key);
    if (known) return known;
    const pool = new Pool(url.origin, {
      connect: (_options: buildConnector.Options, callback: buildConnector.Callback) => {
        this.#open(destination, connectMs).then(
          (socket) => callback(null, socket),
          (thrown: Error) => callback(thrown, null),
        );
      },
      maxHeaderSize: LARGEST_HEADER,
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
    });
    this.#pools.set(key, pool);
    return pool;
  }

  async #open({ url, addresses, port }: Destination, connectMs: number): Promise<Socket> {
    const limit = new AbortController();
    const late = this.#clock.sleep(connectMs, limit.signal).then(
      () => new AppError("FETCH_LIMIT", "No connection was made in time."),
      () => undefined,
    );
    try {
      let failure: unknown;
      for (const address of addresses.slice(0, MOST_ADDRESSES)) {
        try {
          return await this.#openTo(address, url, port, late);
        } catch (thrown) {
          failure = thrown;
          if (thrown instanceof AppError) break;
        }
      }
      throw failure;
    } finally {
      limit.abort(notNeeded);
    }
  }

  #openTo(address: string, url: URL, port: number, late: Promise<AppError | undefined>): Promise<Socket> {
    const secure = url.protocol === "https:";
    const servername = /^\[|^[\d.]+$/.test(url.hostname) ? "" : url.hostname;
    const socket = this.#dial({ address, port, ...(secure && { servername }) });
    return new Promise((resolve, reject) => {
      const fail = (thrown: Error) => {
        socket.destroy();
        reject(thrown);
      };
      socket.once("error", (cause) => fail(new Error(messageOf(cause), { cause })));
      socket.once(secure ? "secureConnect" : "connect", () => {
        // Whatever stood in between, data goes to the address that was checked, or nowhere.
        if (samePlace(socket.remoteAddress, address)) resolve(socket.setNoDelay(true));
        else fail(new AppError("FETCH_REFUSED", "The connection led to another address."));
      });
      void late.then((thrown) => thrown && fail(thrown));
    });
  }
}

/** IPv6 sockets show an IPv4 address in its mapped form. */
const samePlace = (remote: string | undefined, address: string): boolean => canonical(remote ?? "") === canonical(address);

function canonical(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  return v4.includes(":") ? new URL(`http://[${v4}]`).hostname : v4;
}
