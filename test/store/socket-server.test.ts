import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { SocketServer } from "../../src/store/embedded/socket-server.ts";

/** What an engine says first when it has parsed a statement. */
const parsed = "1\0\0\0\x04";

/** An engine that notes what it is given; BEGIN and COMMIT or ROLLBACK in a request open and end its transaction. */
class NotingEngine {
  readonly given: string[] = [];
  broken = false;
  /** Whether it takes named statements, and says so first. */
  parses = true;
  #open = false;
  execProtocolRawSync(bytes: Uint8Array): Uint8Array {
    if (this.broken) throw new Error("out of memory");
    const text = Buffer.from(bytes).toString("latin1");
    this.given.push(text);
    if (text.includes("BEGIN")) this.#open = true;
    if (/COMMIT|ROLLBACK/.test(text)) this.#open = false;
    const names = text.startsWith("P") && text[5] !== "\0";
    return Buffer.from(`${this.parses && names ? parsed : ""}<${/[A-Z]{4,}|first|second/.exec(text)?.[0] ?? text[0]}>`);
  }
  isInTransaction = () => this.#open;
}

const message = (type: string, body: string) => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};
const query = (text: string) => message("Q", `${text}\0`);
const special = (code: number, length = 8) => {
  const bytes = Buffer.alloc(length);
  bytes.writeInt32BE(length, 0);
  bytes.writeInt32BE(code, 4);
  return bytes;
};
const startup = special(196_608, 12);

let folder: string;
let engine: NotingEngine;
let server: SocketServer;
let failures = 0;
const sockets: Socket[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "footnote-test-"));
  engine = new NotingEngine();
  failures = 0;
  server = new SocketServer(engine, () => {
    failures += 1;
  });
  await server.listen(join(folder, "s"));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** A client whose session has begun. */
async function client() {
  const socket = connect(join(folder, "s"));
  sockets.push(socket);
  let heard = "";
  socket.on("data", (piece) => {
    heard += String(piece);
  });
  const until = async (text: string) => {
    while (!heard.includes(text)) await new Promise((resolve) => setImmediate(resolve));
    const all = heard;
    heard = "";
    return all;
  };
  socket.write(startup);
  await until("<");
  engine.given.length = 0;
  return { socket, until };
}

const statement = () => [message("P", "\0SELECT 1\0"), message("B", "\0\0"), message("D", "P\0"), message("E", "\0"), message("S", "")];

test("the five messages of a statement reach the engine in one piece, however their bytes arrive", async () => {
  const { socket, until } = await client();
  const bytes = Buffer.concat(statement());
  socket.write(bytes);
  await until("<");
  for (const byte of bytes) {
    socket.write(Buffer.of(byte));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until("<");
  expect(engine.given).toEqual([bytes.toString("latin1"), bytes.toString("latin1")]);
});

test("requests that arrive together are answered one by one, in order", async () => {
  const { socket, until } = await client();
  socket.write(Buffer.concat([query("first"), query("second")]));
  expect(await until("<second>")).toBe("<first><second>");
  expect(engine.given).toHaveLength(2);
});

test("while a transaction is open nobody else is served; then the others are, in their order", async () => {
  const one = await client();
  const two = await client();
  one.socket.write(query("BEGIN"));
  await one.until("<BEGIN>");
  two.socket.write(query("OTHER"));
  one.socket.write(query("first"));
  await one.until("<first>");
  expect(engine.given.join()).not.toContain("OTHER");
  one.socket.write(query("COMMIT"));
  await two.until("<OTHER>");
  expect(engine.given.at(-2)).toContain("COMMIT");
});

test("a transaction whose client went away is rolled back before anybody else is served", async () => {
  const one = await client();
  const two = await client();
  one.socket.write(query("BEGIN"));
  await one.until("<BEGIN>");
  two.socket.write(query("OTHER"));
  one.socket.destroy();
  await two.until("<OTHER>");
  expect(engine.given.slice(-2).map((text) => /[A-Z]{5,}/.exec(text)?.[0])).toEqual(["ROLLBACK", "OTHER"]);
});

test("half a statement that ends in a flush keeps others out until its rest has come", async () => {
  const one = await client();
  const two = await client();
  one.socket.write(Buffer.concat([message("P", "\0first\0"), message("H", "")]));
  await one.until("<first>");
  two.socket.write(query("OTHER"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(engine.given.join()).not.toContain("OTHER");
  one.socket.write(message("S", ""));
  await two.until("<OTHER>");
});

test("encryption is declined, a cancellation and a goodbye end the connection without the engine", async () => {
  for (const ending of [special(80_877_102, 16), Buffer.concat([startup, message("X", "")])]) {
    const socket = connect(join(folder, "s"));
    sockets.push(socket);
    socket.write(special(80_877_103));
    await new Promise((resolve) => socket.once("data", (piece) => resolve(expect(String(piece)).toBe("N"))));
    const ended = new Promise((resolve) => socket.once("close", resolve));
    socket.on("data", () => undefined);
    socket.write(ending);
    await ended;
  }
  expect(engine.given.join()).not.toContain("X");
});

test("an engine that breaks is reported", async () => {
  const { socket } = await client();
  engine.broken = true;
  socket.write(query("first"));
  while (failures === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(failures).toBe(1);
});

const named = (name: string) => Buffer.concat([message("P", `${name}\0SELECT 1\0`), ...statement().slice(1)]);
const unparsed = Buffer.concat(statement().slice(1)).toString("latin1");

test("a statement that one client has named is kept for all of them: who asks for it again hears that it is there", async () => {
  for (const { socket, until } of [await client(), await client()]) {
    socket.write(named("kept"));
    expect((await until("<")).startsWith(parsed)).toBe(true);
  }
  const [other] = [await client()];
  other.socket.write(named("another"));
  await other.until("<");
  expect(engine.given).toEqual([named("another").toString("latin1")]);
  other.socket.write(named("kept"));
  expect((await other.until("<")).startsWith(parsed)).toBe(true);
  expect(engine.given.at(-1)).toBe(unparsed);
});

test("a named statement that could not be parsed is tried again", async () => {
  const { socket, until } = await client();
  engine.parses = false;
  socket.write(named("kept"));
  await until("<");
  engine.parses = true;
  socket.write(named("kept"));
  await until("<");
  expect(engine.given).toEqual([named("kept").toString("latin1"), named("kept").toString("latin1")]);
});

test("kept statements are planned anew from time to time, but never within somebody's transaction", async () => {
  const { socket, until } = await client();
  const many = (text: string) => Buffer.concat(Array.from({ length: 5_000 }, () => query(text)));
  socket.write(Buffer.concat([query("BEGIN"), many("first"), query("second")]));
  await until("<second>");
  expect(engine.given.join()).not.toContain("DISCARD PLANS");
  socket.write(Buffer.concat([query("COMMIT"), many("first"), query("second")]));
  await until("<second>");
  expect(engine.given.filter((text) => text.includes("DISCARD PLANS"))).toHaveLength(1);
});
