import type { JSX } from "preact";
import type { BlockText, Drawable } from "../block-kit.ts";
import { Markdown } from "../markdown/render.tsx";
import { inline, Mrkdwn } from "../mrkdwn/render.tsx";
import type { Message } from "../page-api.ts";
import { useSession } from "../session.ts";
import { ActionButton } from "./action-button.tsx";

/** A bot message's blocks. */
export function Blocks({ message, drawables }: { readonly message: Message; readonly drawables: readonly Drawable[] }): JSX.Element {
  return (
    <>
      {drawables.map((drawable) => (
        <BlockView message={message} drawable={drawable} />
      ))}
    </>
  );
}

function BlockView({ message, drawable }: { readonly message: Message; readonly drawable: Drawable }): JSX.Element {
  switch (drawable.type) {
    case "header":
      return <h4>{drawable.text}</h4>;
    case "divider":
      return <hr />;
    case "context":
      return <Texts class="context" texts={drawable.texts} />;
    case "section":
      return (
        <div class="section">
          <Texts class="texts" texts={drawable.texts} />
          {drawable.button && <ActionButton message={message} button={drawable.button} />}
        </div>
      );
    case "actions":
      return (
        <div class="actions">
          {drawable.buttons.map((button) => (
            <ActionButton key={button.actionId} message={message} button={button} />
          ))}
        </div>
      );
    case "markdown":
      return <Markdown text={drawable.text} />;
    case "task":
      return (
        <p class="task" data-status={drawable.status}>
          <span class="state" role="img" aria-label={spokenStatus[drawable.status]} />
          <span>{drawable.title}</span>
        </p>
      );
    case "table":
      return <CellTable rows={drawable.rows} align={drawable.align} />;
    default:
      return drawable satisfies never;
  }
}

const spokenStatus = { pending: "Waiting", in_progress: "Running", complete: "Done", error: "Failed" } as const;

function CellTable({ rows, align }: Pick<Extract<Drawable, { type: "table" }>, "rows" | "align">): JSX.Element {
  const { names } = useSession();
  return (
    <div class="markdown">
      <table>
        {rows.map((row, index) => (
          <tr>
            {row.map((cell, column) => {
              const content = cell.map((node) => inline(node, names));
              const side = align[column] || "left";
              return index === 0 ? <th data-align={side}>{content}</th> : <td data-align={side}>{content}</td>;
            })}
          </tr>
        ))}
      </table>
    </div>
  );
}

function Texts({ texts, class: className }: { readonly texts: readonly BlockText[]; readonly class: string }): JSX.Element {
  const { names } = useSession();
  return (
    <div class={className}>
      {texts.map(({ text, mrkdwn }) => (
        <div>{mrkdwn ? <Mrkdwn text={text} names={names} /> : <span class="plain">{text}</span>}</div>
      ))}
    </div>
  );
}
