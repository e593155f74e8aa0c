import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { readAttachments } from "../../../src/bot/documents/attachments.ts";
import { namedFiles, readNamedFile } from "../../../src/bot/documents/named-file.ts";
import { type SlackFile, SlackFiles } from "../../../src/bot/documents/slack-file.ts";
import { english } from "../../../src/bot/words/catalogue.ts";
import type { SlackReader } from "../../../src/bot/workspace/slack-reader.ts";
import { AppError } from "../../../src/core/errors.ts";
import { channelId, personId, tenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";

const [alice, bob] = [personId("U1"), personId("U2")];
const [general, secret] = [channelId("C1"), channelId("C2")];
const signal = new AbortController().signal;

/** Slack's description of alice's file, which she has shared in general. */
const described = { id: "F01", name: "plan.pdf", size: 9, filetype: "pdf", user: alice, channels: [general] };
const reader = (file: object | undefined) => ({ call: async () => ({ ok: true, file }) }) as unknown as SlackReader;
const files = (more: object = {}, apiUrl?: string) =>
  new SlackFiles(reader({ ...described, ...more }), new Secret("xoxb-token"), apiUrl ?? "http://127.0.0.1:1/api/");

describe("T04: whose file it is", () => {
  test.each([
    ["its owner, anywhere", alice, secret, true],
    ["somebody else, where it was shared", bob, general, true],
    ["somebody else, in a place in which it was not shared", bob, secret, false],
  ])("%s", async (_, who, where, may) => expect((await files().find("F01", who, where)) !== undefined).toBe(may));

  test("a file that Slack does not know is the same as one that is not shown", async () =>
    expect(await new SlackFiles(reader(undefined), new Secret("x"), undefined).find("F01", alice, general)).toBeUndefined());
});

describe("the token goes to Slack's own hosts alone", () => {
  let server: Server;
  let asked: (string | undefined)[];
  let origin: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      asked.push(request.headers.authorization);
      if (request.url === "/page") response.writeHead(200, { "content-type": "text/html" }).end("<html>Sign in</html>");
      else if (request.url === "/away") response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
      else response.writeHead(200, { "content-type": "application/octet-stream" }).end("contents!");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  const fetched = async (path: string, most = 100, apiUrl = `${origin}/api/`) => {
    asked = [];
    const all = files({ url_private: path.startsWith("/") ? `${origin}${path}` : path }, apiUrl);
    return all.download((await all.find("F01", alice, general)) as SlackFile, most, signal);
  };

  test("a file is fetched with it", async () => {
    expect(Buffer.from(await fetched("/file")).toString()).toBe("contents!");
    expect(asked).toEqual(["Bearer xoxb-token"]);
  });
  test.each([
    ["another host", "http://localhost:9/file"],
    ["something that is no address", "plan.pdf"],
    ["Slack's name as part of another", "https://files.slack.com.evil.example/file"],
  ])("%s gets nothing", async (_, address) => {
    await expect(fetched(address)).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" });
    expect(asked).toEqual([]);
  });
  test.each([
    ["a page to sign in at", "/page", 100],
    ["a way to another host", "/away", 100],
    ["more than is allowed", "/file", 5],
  ])("%s is no file", async (_, path, most) => expect(fetched(path, most)).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" }));
  test("with Slack itself, only its hosts for files are asked", async () =>
    expect(fetched("/file", 100, "https://slack.com/api/")).rejects.toMatchObject({ code: "DOCUMENT_UNREADABLE" }));
});

describe("files of a question", () => {
  const at = { tenant: tenantId("t1"), person: alice, channel: general };
  const prose = (text: string) => ({ text, headingPath: [], kind: "prose" as const });
  const read = (kept: readonly string[], more: { readonly kind?: string; readonly text?: string; readonly fails?: AppError } = {}) =>
    readAttachments(kept, at, {
      files: {
        find: async (id) => (id === "F09" ? undefined : { ...described, id, bytes: 3, kind: more.kind ?? "pdf", owner: alice, url: "x" }),
        download: async () => new Uint8Array(3),
      },
      extractor: {
        extract: async () => {
          if (more.fails) throw more.fails;
          return { title: "Plan", format: "pdf", notes: [], blocks: [prose(more.text ?? "We meet at noon.")] };
        },
      },
      words: english.documents,
      log: silentLogger,
    });

  test("are read, each under its name", async () =>
    expect(await read(["F01 plan.pdf"])).toEqual({
      attachments: [{ id: "F01", name: "plan.pdf", passages: [{ passage: "We meet at noon." }] }],
      notes: [],
    }));
  test.each<[string, readonly string[], Parameters<typeof read>[1], RegExp]>([
    ["a file that is not the asker's to show", ["F09 secret.pdf"], {}, /secret\.pdf could not be read: Slack does not show it to me/],
    ["a file of which only the name is known", ["old.pdf"], {}, /old\.pdf could not be read/],
    ["a picture", ["F01 cat.png"], { kind: "png" }, /cat\.png is a picture/],
    [
      "a broken file",
      ["F01 plan.pdf"],
      { fails: new AppError("DOCUMENT_UNREADABLE", "It is encrypted.") },
      /plan\.pdf could not be read: It is encrypted/,
    ],
    ["a kind that is not read", ["F01 plan.xyz"], { fails: new AppError("FORMAT_UNSUPPORTED") }, /This kind of file is not supported/],
  ])("%s is named with the reason", async (_, kept, more, why) => {
    const { attachments, notes } = await read(kept, more);
    expect([attachments, notes.join()]).toEqual([[], expect.stringMatching(why)]);
  });
  test("of more than five the first five are read, and that is said", async () => {
    const { attachments, notes } = await read(["1", "2", "3", "4", "5", "6"].map((n) => `F0${n} ${n}.pdf`));
    expect([attachments.length, notes]).toEqual([5, ["Only the first 5 of 6 files were read."]]);
  });
  test("of a long file the beginning is read, and that is said", async () => {
    const { attachments, notes } = await read(["F01 plan.pdf"], { text: "A sentence that says something. ".repeat(3_000) });
    expect(attachments[0]?.passages.map(({ passage }) => passage).join("").length).toBeLessThanOrEqual(24_000);
    expect(notes).toEqual([expect.stringMatching(/Of plan\.pdf only the first \d+ of \d+ passages/)]);
  });

  test("are kept as Slack's id and name; a forged id is only a name", () => {
    expect(namedFiles([{ id: "F01", name: "a b.pdf" }, { id: "F0'--", name: "x" }, { name: null }, "?"])).toEqual([
      "F01 a b.pdf",
      "x",
      "file",
      "file",
    ]);
    expect(readNamedFile("F01 a b.pdf")).toEqual({ id: "F01", name: "a b.pdf" });
    expect(readNamedFile("Final report.pdf")).toEqual({ name: "Final report.pdf" });
  });
});
