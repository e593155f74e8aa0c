import { webAddressesIn } from "../../../src/bot/out/mrkdwn/addresses.ts";
import { DraftParts } from "../../../src/bot/out/mrkdwn/draft-parts.ts";
import { toMrkdwn } from "../../../src/bot/out/mrkdwn.ts";
import { addressPayloads, mentionPayloads } from "./payloads.ts";
import { linkTargets, liveThings, withoutCode } from "./reading-slack.ts";

const known = "https://docs.test/handbook?page=2&v=1";
const options = { allowed: new Set([known]), citations: new Map([[1, known]]) };
const written = (markdown: string) => toMrkdwn(markdown, options).flat().join("\n\n");

describe("text of a model or a document does nothing but be read", () => {
  test.each(addressPayloads)("no address is live in %j", (payload) => {
    for (const text of [written(payload), written(`Before ${payload} after`), written(`Fact [1].\n\n${payload}`)]) {
      const live = liveThings(text).filter((found) => !found.startsWith("https://docs.test/handbook?page=2&amp;v=1|[1]"));
      expect(live).toEqual([]);
      expect(linkTargets(text).filter((url) => url !== known)).toEqual([]);
    }
  });

  test.each(mentionPayloads)("H5-TXT-09: nobody is called by %j", (payload) => {
    expect(written(payload)).not.toMatch(/<[!@#]/);
  });

  test("the words of a mention are still to be read", () => {
    expect(written("<!channel> and <@U1>")).toBe("&lt;!channel&gt; and &lt;@U1&gt;");
  });

  test("the whole address of a link that is not allowed can be read", () => {
    expect(written("[our handbook](https://evil.example/?d=secret)")).toBe("our handbook (`https://evil.example/?d=secret`)");
  });

  test("an address that is allowed is a link in every form, and unchanged", () => {
    const href = known.replace("&", "&amp;");
    expect(written(`[handbook](${known})`)).toBe(`<${href}|handbook>`);
    expect(written(`<${known}>`)).toBe(`<${href}>`);
    expect(written(`See ${known}.`)).toBe(`See <${href}>.`);
    expect(written("Fact [1].")).toBe(`Fact <${href}|[1]>.`);
  });

  test("addresses that the asker wrote may be links in the answer", () => {
    const allowed = webAddressesIn("Is https://example.com/a?x=1 (see http://example.com/b.) or evil.example better?");
    expect([...allowed]).toEqual(["https://example.com/a?x=1", "http://example.com/b"]);
    expect(toMrkdwn("Use https://example.com/a?x=1, not evil.example.", { allowed }).flat()).toEqual([
      "Use <https://example.com/a?x=1>, not `evil.example`.",
    ]);
  });

  test("one letter more and it is another address", () => {
    expect(linkTargets(written(`See ${known}0 there`))).toEqual([]);
  });

  test("hidden characters are gone; emoji, flags and right-to-left writing are not", () => {
    const hidden = "in\u200Bvi\u2060si\u00ADble\u202E \u{E0041}\u{E0042}text\uFEFF";
    expect(written(hidden)).toBe("invisible text");
    const real =
      "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F} \u{1F468}\u200D\u{1F469}\u200D\u{1F467} \u2764\uFE0F \u05E9\u05DC\u05D5\u05DD \u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645 \u0915\u094D\u200D\u0937";
    expect(written(real)).toBe(real.normalize("NFC"));
  });

  test.each(["> ".repeat(3_000), "*a ".repeat(3_000), "[".repeat(3_000), "- ".repeat(3_000), "[a](".repeat(2_000)])(
    "a text made to break parsers is shown, not thrown: %#",
    (text) => {
      const payload = `${text} https://evil.example <!here>`;
      expect(liveThings(written(payload))).toEqual([]);
      expect(written(payload)).toContain("evil.example");
      expect(new DraftParts().read(payload, options).length).toBeGreaterThan(0);
    },
  );

  test("a backtick of the text cannot open or close code of ours", () => {
    const text = written("a ` b [x](https://evil.example) ` c");
    expect(withoutCode(text)).not.toContain("evil.example");
  });
});
