import { insideRevision, linksInMarkdown, linksInMrkdwn } from "../../playground/server/links.ts";
import { fromTyped, mentionsIn } from "../../playground/server/mrkdwn.ts";
import type { Json } from "../../playground/server/state.ts";
import { apiOf, startSlack } from "./harness.ts";

const urls = (links: readonly { url: string }[]) => links.map((link) => link.url);

describe("links in a text", () => {
  it.each<[string, string[]]>([
    ["see <https://a.example/x|here>", ["https://a.example/x"]],
    ["<https://a.example/?q=1&amp;r=2>", ["https://a.example/?q=1&r=2"]],
    ["at https://a.example/x?q=1, or later", ["https://a.example/x?q=1"]],
    ["(https://a.example)", ["https://a.example"]],
    ["go to evil.example/x now", ["evil.example/x"]],
    ["sub.domain.co.uk:8080/path and more", ["sub.domain.co.uk:8080/path"]],
    ["<mailto:a@b.example|a>", ["mailto:a@b.example"]],
    ["javascript:alert(1)", ["javascript:alert(1"]],
    ["even in code `<https://a.example>`", ["https://a.example"]],
  ])("%s", (text, expected) => {
    expect(urls(linksInMrkdwn(text))).toEqual(expected);
  });

  it.each([
    "`https://a.example` and ```\nevil.example\n```",
    "version 1.2.3, e.g. this one",
    "a &lt;https is not one",
    "<@U1> <#C1|general> <!here>",
    "3.5 days",
  ])("none in: %s", (text) => {
    expect(linksInMrkdwn(text)).toEqual([]);
  });

  it.each<[string, string[]]>([
    ["[t](https://a.example/x)", ["https://a.example/x"]],
    ["[t]( https://a.example 'title' )", ["https://a.example"]],
    ["![i](https://a.example/i.png)", ["https://a.example/i.png"]],
    ["[t][1]\n\n[1]: https://a.example", ["https://a.example"]],
    ["<https://a.example>", ["https://a.example"]],
    ["bare evil.example here", ["evil.example"]],
    ["`[t](https://a.example)`", []],
  ])("in Markdown: %s", (text, expected) => {
    expect(urls(linksInMarkdown(text))).toEqual(expected);
  });

  it("are found in every part of blocks and attachments", () => {
    const blocks: Json[] = [
      { type: "section", text: { type: "mrkdwn", text: "<https://1.example>" }, accessory: { type: "button", url: "https://2.example" } },
      { type: "section", text: { type: "plain_text", text: "https://plain.example is no link" } },
      { type: "image", image_url: "https://3.example/i.png", alt_text: "" },
      { type: "markdown", text: "[t](https://4.example)" },
      { type: "rich_text", elements: [{ type: "rich_text_section", elements: [{ type: "link", url: "https://5.example" }] }] },
    ];
    const attachments = [{ text: "https://6.example", title_link: "https://7.example" }];
    expect(urls(insideRevision({ text: "t", blocks, attachments }).links)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((n) => expect.stringContaining(`https://${n}.example`)),
    );
  });
});

describe("pings in a text", () => {
  it("are found by kind", () => {
    expect(mentionsIn("<@U1> <@U2|bob> <#C1|general> <!subteam^S1|@team> <!here> <!channel|channel> <!date^1^x|y>")).toEqual([
      { kind: "user", target: "U1" },
      { kind: "user", target: "U2" },
      { kind: "channel", target: "C1" },
      { kind: "usergroup", target: "S1" },
      { kind: "broadcast", target: "here" },
      { kind: "broadcast", target: "channel" },
    ]);
  });

  it("are none when the brackets are escaped", () => {
    expect(mentionsIn("&lt;!channel&gt; &lt;@U1&gt; @here")).toEqual([]);
  });
});

describe("the record of what the bot showed", () => {
  it("holds links and pings of every state of a message, with whether Slack would have fetched them", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const call = apiOf(slack, "acme");
    const channel = slack.workspace("acme").channel("general");
    slack.post({ workspace: "acme", as: "bob", channel: "general", text: "https://people.example @channel" });
    const { ts } = await call("chat.postMessage", { channel, text: "<https://a.example> <!channel>" });
    await call("chat.update", { channel, ts, text: "harmless" });
    await call("chat.postMessage", { channel, text: "<https://b.example>", unfurl_links: false, unfurl_media: false });
    await call("chat.postMessage", { channel, text: "<https://c.example>", unfurl_links: false });
    expect(slack.links.map((link) => [link.url, link.unfurls, link.revision])).toEqual([
      ["https://a.example", true, 0],
      ["https://b.example", false, 0],
      ["https://c.example", true, 0],
    ]);
    expect(slack.mentions).toEqual([{ workspace: "acme", channel, ts, revision: 0, kind: "broadcast", target: "channel" }]);
  });

  it("counts names that Slack itself would turn into pings", async () => {
    const slack = await startSlack({ retryDelaysMs: [1] });
    const channel = slack.workspace("acme").channel("general");
    await apiOf(slack, "acme")("chat.postMessage", { channel, text: "@channel @bob" });
    expect(slack.mentions).toEqual([]);
    await apiOf(slack, "acme")("chat.postMessage", { channel, text: "@channel @bob", link_names: true });
    expect(slack.mentions.map((mention) => mention.target)).toEqual(["channel", slack.workspace("acme").person("bob")]);
  });
});

describe("what a person types", () => {
  const names = {
    user: (handle: string) => ({ footnote: "U1", "a.b": "U2" })[handle],
    channel: (name: string) => ({ general: "C1" })[name],
  };

  it.each<[string, string]>([
    ["@footnote hi", "<@U1> hi"],
    ["ask @a.b.", "ask <@U2>."],
    ["see #general, #nowhere", "see <#C1|general>, #nowhere"],
    ["@here and @nobody", "<!here> and @nobody"],
    ["a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"],
    ["https://a.example/?a=1&b=2.", "<https://a.example/?a=1&amp;b=2>."],
    ["<!channel> <@U1>", "&lt;!channel&gt; &lt;@U1&gt;"],
    ["mail me@footnote.example", "mail me@footnote.example"],
  ])("%s becomes %s", (typed, text) => {
    expect(fromTyped(typed, names).text).toBe(text);
  });

  it("comes with the editor's rich text beside it", () => {
    expect(fromTyped("@footnote hi", names).blocks).toMatchObject([
      {
        type: "rich_text",
        elements: [
          {
            type: "rich_text_section",
            elements: [
              { type: "user", user_id: "U1" },
              { type: "text", text: " hi" },
            ],
          },
        ],
      },
    ]);
  });
});
