/** A piece of a line of Slack's mrkdwn. Text is already unescaped: show it as it is, once, as text. */
export type Inline =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "bold" | "italic" | "strike"; readonly children: readonly Inline[] }
  | { readonly type: "code"; readonly text: string }
  /** `href` is always http, https or mailto. */
  | { readonly type: "link"; readonly href: string; readonly label: string }
  | { readonly type: "user" | "channel"; readonly id: string; readonly label?: string }
  /** @here, @channel, @everyone and user groups. */
  | { readonly type: "broadcast"; readonly label: string }
  | { readonly type: "emoji"; readonly name: string; readonly character: string };

export interface Line {
  readonly type: "line";
  /** Depth of a list item, 0 for the outermost and for anything that is no item. */
  readonly depth: number;
  /** What stands before a list item: a bullet or a number. */
  readonly bullet?: string;
  readonly children: readonly Inline[];
}

export type MrkdwnBlock =
  | { readonly type: "lines"; readonly lines: readonly Line[] }
  | { readonly type: "quote"; readonly lines: readonly Line[] }
  | { readonly type: "fence"; readonly text: string };
