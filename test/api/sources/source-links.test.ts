import { randomBytes } from "node:crypto";
import { linkLifetimeMs, SourceLinkSigner } from "../../../src/api/sources/source-links.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { channelId, newId, passageId, personId, tenantId } from "../../../src/core/ids.ts";

const tenant = tenantId(newId());
const passage = passageId(newId());
const reader = { channel: channelId("C1"), person: personId("U1") };
const key = randomBytes(32);
let now = 1_800_000_000_000;
const clock = { ...systemClock, now: () => new Date(now) };
const signer = new SourceLinkSigner(key, () => "https://bot.example", clock);
const tokenOf = (url: string) => url.split("/sources/")[1] ?? "";

test("a link opens what it was made for, until it ends", () => {
  const token = tokenOf(signer.forTenant(tenant).passage(passage, reader));
  expect(signer.open(token)).toEqual({ tenant, passage, ...reader });
  now += linkLifetimeMs - 1;
  expect(signer.open(token)).toEqual({ tenant, passage, ...reader });
  now += 1;
  expect(signer.open(token)).toBe("expired");
});

test("a link with one character changed, another key or another payload opens nothing", () => {
  const token = tokenOf(signer.forTenant(tenant).passage(passage, reader));
  const [payload = "", signature = ""] = token.split(".");
  for (let at = 0; at < token.length; at++) {
    const forged = `${token.slice(0, at)}${token[at] === "A" ? "B" : "A"}${token.slice(at + 1)}`;
    // The last character of a base64url string carries unused bits: a change there may decode to the same bytes, yet must not pass.
    expect(signer.open(forged)).toBeUndefined();
  }
  const stranger = new SourceLinkSigner(randomBytes(32), () => "https://bot.example", clock);
  expect(stranger.open(token)).toBeUndefined();
  const other = tokenOf(signer.forTenant(tenantId(newId())).passage(passage, reader)).split(".")[0];
  for (const bad of [`${other}.${signature}`, payload, `${payload}.`, `${token}.x`, "", "..", "%00"])
    expect(signer.open(bad)).toBeUndefined();
});
