import type { JSX } from "preact";
import { Emoji } from "./emoji-picture.tsx";
import type { Inline, Line } from "./nodes.ts";
import { parseMrkdwn } from "./parse.ts";

/** Who an id stands for, in the workspace that is shown. */
export interface Names {
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/** Slack's mrkdwn as elements. All content becomes text nodes. */
export function Mrkdwn({ text, names }: { readonly text: string; readonly names: Names }): JSX.Element {
  return (
    <>
      {parseMrkdwn(text).map((block) => {
        if (block.type === "fence") return <pre class="fence">{block.text}</pre>;
        const lines = block.lines.map((line) => <LineOf line={line} names={names} />);
        return block.type === "quote" ? <blockquote>{lines}</blockquote> : <div class="lines">{lines}</div>;
      })}
    </>
  );
}

function LineOf({ line, names }: { readonly line: Line; readonly names: Names }): JSX.Element {
  const content = line.children.map((node) => inline(node, names));
  if (!line.bullet) return <div class={line.children.length ? "line" : "line blank"}>{content}</div>;
  return (
    <div class="line item" data-depth={line.depth}>
      <span class="bullet">{line.bullet}</span>
      <span>{content}</span>
    </div>
  );
}

/** A piece of a line. */
export function inline(node: Inline, names: Names): JSX.Element | string {
  switch (node.type) {
    case "text":
      return node.text;
    case "bold":
      return <strong>{node.children.map((child) => inline(child, names))}</strong>;
    case "italic":
      return <em>{node.children.map((child) => inline(child, names))}</em>;
    case "strike":
      return <s>{node.children.map((child) => inline(child, names))}</s>;
    case "code":
      return <code>{node.text}</code>;
    case "link":
      return (
        <a href={node.href} target="_blank" rel="noopener noreferrer">
          {node.label}
        </a>
      );
    case "user":
      return <span class="mention">@{names.user(node.id) ?? node.label ?? node.id}</span>;
    case "channel":
      return <span class="mention">#{names.channel(node.id) ?? node.label ?? node.id}</span>;
    case "broadcast":
      return <span class="mention loud">{node.label}</span>;
    case "emoji":
      return <Emoji name={node.name} character={node.character} />;
    default:
      return node satisfies never;
  }
}
