import { readBlocks } from "../../playground/ui/block-kit.ts";

test("sections, context, headers, dividers and buttons are drawn in order", () => {
  const blocks = [
    { type: "header", text: { type: "plain_text", text: "Title" } },
    { type: "section", text: { type: "mrkdwn", text: "*a*" }, fields: [{ type: "plain_text", text: "b" }] },
    { type: "divider" },
    { type: "context", elements: [{ type: "mrkdwn", text: "c" }] },
    {
      type: "actions",
      block_id: "B",
      elements: [{ type: "button", action_id: "go", style: "primary", value: "v", text: { type: "plain_text", text: "Go" } }],
    },
  ];
  expect(readBlocks(blocks)).toEqual([
    { type: "header", text: "Title" },
    {
      type: "section",
      texts: [
        { text: "*a*", mrkdwn: true },
        { text: "b", mrkdwn: false },
      ],
    },
    { type: "divider" },
    { type: "context", texts: [{ text: "c", mrkdwn: true }] },
    { type: "actions", buttons: [{ blockId: "B", actionId: "go", label: "Go", value: "v", style: "primary" }] },
  ]);
});

test("an image is never loaded: its alt text stands for it", () =>
  expect(readBlocks([{ type: "image", image_url: "https://evil.example/pixel", alt_text: "a chart" }])).toEqual([
    { type: "context", texts: [{ text: "a chart", mrkdwn: false }] },
  ]));

test("a button opens web addresses only", () => {
  const button = (url: string) =>
    readBlocks([{ type: "actions", elements: [{ type: "button", action_id: "a", url, text: { text: "x" } }] }])[0];
  expect(button("https://a.example/")).toMatchObject({ buttons: [{ url: "https://a.example/" }] });
  expect(button("javascript:alert(1)")).not.toMatchObject({ buttons: [{ url: expect.anything() }] });
});

test("task cards, streamed Markdown and tables are drawn", () => {
  const style = { bold: true };
  const cell = (elements: object[]) => ({ type: "rich_text", elements: [{ type: "rich_text_section", elements }] });
  const blocks = [
    { type: "task_card", title: "Searching", status: "complete" },
    { type: "task_card", title: "Odd", status: "exploded" },
    { type: "markdown", text: "**a**" },
    {
      type: "table",
      column_settings: [{ align: "right" }],
      rows: [
        [{ type: "raw_text", text: "<b>" }, cell([{ type: "text", text: "B", style }])],
        [cell([{ type: "link", url: "javascript:x", text: "no" }]), cell([{ type: "link", url: "https://a.example/", text: "yes" }])],
      ],
    },
  ];
  expect(readBlocks(blocks)).toEqual([
    { type: "task", title: "Searching", status: "complete" },
    { type: "task", title: "Odd", status: "pending" },
    { type: "markdown", text: "**a**" },
    {
      type: "table",
      align: ["right"],
      rows: [
        [[{ type: "text", text: "<b>" }], [{ type: "bold", children: [{ type: "text", text: "B" }] }]],
        [[{ type: "text", text: "no" }], [{ type: "link", href: "https://a.example/", label: "yes" }]],
      ],
    },
  ]);
});

test("malformed and unknown blocks do no harm", () =>
  expect(
    readBlocks([
      {},
      { type: "rich_text" },
      { type: "section" },
      { type: "actions", elements: "x" },
      { type: "context", elements: [null, 3] },
    ]),
  ).toEqual([
    { type: "section", texts: [] },
    { type: "actions", buttons: [] },
    { type: "context", texts: [] },
  ]));
