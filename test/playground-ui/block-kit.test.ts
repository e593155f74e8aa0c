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
    { type: "actions", elements: [{ kind: "button", blockId: "B", actionId: "go", label: "Go", value: "v", style: "primary" }] },
  ]);
});

test("an image is never loaded: its alt text stands for it", () =>
  expect(readBlocks([{ type: "image", image_url: "https://evil.example/pixel", alt_text: "a chart" }])).toEqual([
    { type: "context", texts: [{ text: "a chart", mrkdwn: false }] },
  ]));

test("a button opens web addresses only", () => {
  const button = (url: string) =>
    readBlocks([{ type: "actions", elements: [{ type: "button", action_id: "a", url, text: { text: "x" } }] }])[0];
  expect(button("https://a.example/")).toMatchObject({ elements: [{ url: "https://a.example/" }] });
  expect(button("javascript:alert(1)")).not.toMatchObject({ elements: [{ url: expect.anything() }] });
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

test("menus, thumbs, forms and rich text are drawn", () => {
  const option = (value: string) => ({ text: { type: "plain_text", text: value.toUpperCase() }, value });
  const field = { type: "plain_text_input", action_id: "c", multiline: true, max_length: 9, initial_value: "i" };
  const select = { type: "static_select", action_id: "s", options: [option("a")], initial_option: option("a") };
  const thumbs = { type: "feedback_buttons", action_id: "t", positive_button: option("u"), negative_button: option("d") };
  const quote = { type: "rich_text_quote", elements: [{ type: "text", text: "<b>" }] };
  const blocks = [
    { type: "section", block_id: "1", text: { type: "mrkdwn", text: "x" }, accessory: select },
    { type: "context_actions", block_id: "2", elements: [thumbs] },
    { type: "input", block_id: "3", label: { text: "L" }, optional: true, element: field },
    { type: "rich_text", elements: [quote] },
  ];
  const [a, u, d] = ["a", "u", "d"].map((value) => ({ label: value.toUpperCase(), value }));
  const menu = { kind: "select", blockId: "1", actionId: "s", placeholder: "", options: [a], initial: a };
  const text = { kind: "text", blockId: "3", actionId: "c", placeholder: "", multiline: true, initial: "i", longest: 9 };
  expect(readBlocks(blocks)).toEqual([
    { type: "section", texts: [{ text: "x", mrkdwn: true }], accessory: menu },
    { type: "actions", elements: [{ kind: "thumbs", blockId: "2", actionId: "t", up: u, down: d }] },
    { type: "input", label: "L", hint: "", optional: true, element: text },
    { type: "rich", parts: [{ form: "quote", content: [{ type: "text", text: "<b>" }] }] },
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
    { type: "actions", elements: [] },
    { type: "context", texts: [] },
  ]));
