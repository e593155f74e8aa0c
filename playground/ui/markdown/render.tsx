import type { AlignType, Nodes, Parents, Root, Table } from "mdast";
import type { JSX } from "preact";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

const parser = unified().use(remarkParse).use(remarkGfm, { singleTilde: false }).freeze();

/** Markdown as Slack shows it in streams and markdown blocks. All content becomes text nodes; pictures are never loaded. */
export function Markdown({ text }: { readonly text: string }): JSX.Element {
  return <div class="markdown">{children(parser.parse(text) as Root)}</div>;
}

const children = (node: Parents): (JSX.Element | string | null)[] => node.children.map((child) => element(child));

function element(node: Nodes): JSX.Element | string | null {
  switch (node.type) {
    case "text":
    case "html":
      return node.value;
    case "paragraph":
      return <p>{children(node)}</p>;
    case "heading":
      return <h4>{children(node)}</h4>;
    case "strong":
      return <strong>{children(node)}</strong>;
    case "emphasis":
      return <em>{children(node)}</em>;
    case "delete":
      return <s>{children(node)}</s>;
    case "inlineCode":
      return <code>{node.value}</code>;
    case "code":
      return <pre class="fence">{node.value}</pre>;
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr />;
    case "blockquote":
      return <blockquote>{children(node)}</blockquote>;
    case "list":
      return node.ordered ? <ol start={node.start ?? 1}>{children(node)}</ol> : <ul>{children(node)}</ul>;
    case "listItem":
      return <li>{children(node)}</li>;
    case "link":
      return <Link href={node.url}>{children(node)}</Link>;
    case "image":
      return node.alt ?? "";
    case "table":
      return <TableOf node={node} />;
    default:
      return "children" in node ? <span>{children(node as Parents)}</span> : null;
  }
}

/** A link opens in a new tab, and only addresses of the web are one. */
function Link({ href, children: words }: { readonly href: string; readonly children: (JSX.Element | string | null)[] }): JSX.Element {
  if (!/^https?:\/\//i.test(href)) return <>{words}</>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {words}
    </a>
  );
}

function TableOf({ node }: { readonly node: Table }): JSX.Element {
  return (
    <table>
      {node.children.map((row, index) => (
        <tr>
          {row.children.map((cell, column) => (
            <Cell head={index === 0} align={node.align?.[column] ?? null}>
              {children(cell)}
            </Cell>
          ))}
        </tr>
      ))}
    </table>
  );
}

interface CellProps {
  readonly head: boolean;
  readonly align: AlignType;
  readonly children: (JSX.Element | string | null)[];
}

const Cell = ({ head, align, children: words }: CellProps): JSX.Element =>
  head ? <th data-align={align ?? "left"}>{words}</th> : <td data-align={align ?? "left"}>{words}</td>;
