import dgram from "node:dgram";
import dns from "node:dns";
import net from "node:net";

const refuse = (): never => {
  throw new Error("This process has no network.");
};

/**
 * Takes away every way to the network that this process's code has: parsers follow references in documents, and none of them may leave.
 * It is a second line: Node 20's permissions cover files, processes and threads, not yet the network.
 */
export function closeNetwork(): void {
  replace(net.Socket.prototype, ["connect"]);
  replace(net.Server.prototype, ["listen"]);
  replace(dgram.Socket.prototype, ["bind", "connect", "send"]);
  replace(dgram, ["createSocket"]);
  for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
    replace(
      resolver,
      Object.getOwnPropertyNames(resolver).filter((name) => /^(?:lookup|resolve|reverse)/.test(name)),
    );
  }
  for (const name of ["fetch", "WebSocket", "EventSource"]) Reflect.deleteProperty(globalThis, name);
}

function replace(owner: object, names: readonly string[]): void {
  for (const name of names) Object.defineProperty(owner, name, { value: refuse, writable: false, configurable: false });
}
