import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { newId, tenantId } from "../../src/core/ids.ts";
import { Secret } from "../../src/core/secret.ts";
import { loadKeyRing, parseKeyRing } from "../../src/store/key-ring.ts";
import { type SealedPlace, Sealing } from "../../src/store/sealing.ts";

const [first, second] = [randomBytes(32), randomBytes(32)];
const sealing = new Sealing({ active: "one", keys: new Map([["one", first]]) });
const token = new Secret("xoxb-a-token-nobody-may-see");
const place: SealedPlace = { tenant: tenantId(newId()), table: "installations", column: "sealed_bot_token", row: "1" };

describe("a sealed token", () => {
  test("opens in its own place and shows nothing of itself", () => {
    const sealed = sealing.seal(token, place);
    expect(sealed).toMatch(/^v1\.one\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(sealed).not.toContain("nobody");
    expect(sealing.open(sealed, place).reveal()).toBe(token.reveal());
  });

  test.each<[string, Partial<SealedPlace>]>([
    ["another tenant", { tenant: tenantId(newId()) }],
    ["another row", { row: "2" }],
    ["another column", { column: "refresh_token" }],
    ["another table", { table: "credentials" }],
  ])("does not open when it is moved to %s", (_, other) => {
    const sealed = sealing.seal(token, place);
    expect(() => sealing.open(sealed, { ...place, ...other })).toThrow(expect.objectContaining({ code: "SECRET_UNREADABLE" }));
  });

  test("looks different every time, also for the same token", () => {
    const data = new Set(Array.from({ length: 100 }, () => sealing.seal(token, place).split(".").at(-1)));
    expect(data.size).toBe(100);
  });

  test("does not open when any part of it was changed", () => {
    const parts = sealing.seal(token, place).split(".");
    for (let part = 0; part < parts.length; part++) {
      const [text = ""] = parts.slice(part);
      const forged = parts.with(part, (text.startsWith("A") ? "B" : "A") + text.slice(1)).join(".");
      expect(() => sealing.open(forged, place)).toThrow(expect.objectContaining({ code: "SECRET_UNREADABLE" }));
    }
    expect(() => sealing.open("", place)).toThrow(expect.objectContaining({ code: "SECRET_UNREADABLE" }));
  });

  test("survives a change of keys: old ones open, are sealed anew, and the old key can then go", () => {
    const old = sealing.seal(token, place);
    const both = new Sealing({
      active: "two",
      keys: new Map([
        ["one", first],
        ["two", second],
      ]),
    });
    expect(both.open(old, place).reveal()).toBe(token.reveal());
    const renewed = both.rewrap(old, place) ?? "";
    expect(both.rewrap(renewed, place)).toBeUndefined();
    const later = new Sealing({ active: "two", keys: new Map([["two", second]]) });
    expect(later.open(renewed, place).reveal()).toBe(token.reveal());
    expect(() => later.open(old, place)).toThrow('The key "one" is not in the key ring.');
  });
});

describe("the key ring", () => {
  test("is made on the first start, for its owner's eyes only, and kept", async () => {
    const home = await mkdtemp(join(tmpdir(), "footnote-test-"));
    const rings = await Promise.all([loadKeyRing(undefined, home), loadKeyRing(undefined, home), loadKeyRing(undefined, home)]);
    const again = await loadKeyRing(undefined, home);
    for (const ring of rings) expect(ring).toEqual(again);
    expect((await stat(join(home, "secret-keys.json"))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(home, "secret-keys.json"), "utf8")).length).toBeGreaterThan(40);
    await rm(home, { recursive: true });
  });

  test("is refused when others can read it", async () => {
    const home = await mkdtemp(join(tmpdir(), "footnote-test-"));
    await writeFile(join(home, "secret-keys.json"), "{}", { mode: 0o644 });
    await expect(loadKeyRing(undefined, home)).rejects.toThrow("chmod 600");
    await rm(home, { recursive: true });
  });

  test.each([
    ["no JSON", "abc"],
    ["a short key", '{"active":"a","keys":{"a":"AAAA"}}'],
    ["an active key that is not there", `{"active":"b","keys":{"a":"${first.toString("base64")}"}}`],
    ["an id with a dot", `{"active":"a.b","keys":{"a.b":"${first.toString("base64")}"}}`],
  ])("is refused with the mend when it has %s", (_, json) => {
    expect(() => parseKeyRing(json)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
    expect(() => parseKeyRing(json)).toThrow("32 bytes in base64");
  });

  test("takes a configured ring", () => {
    const ring = parseKeyRing(`{"active":"a","keys":{"a":"${first.toString("base64")}"}}`);
    expect(ring.keys.get("a")).toEqual(first);
  });
});
