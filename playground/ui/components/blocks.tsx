import type { JSX } from "preact";
import type { BlockText, Drawable, RichPart } from "../block-kit.ts";
import { Markdown } from "../markdown/render.tsx";
import { inline, Mrkdwn } from "../mrkdwn/render.tsx";
import { useSession } from "../session.ts";
import { Element } from "./elements.tsx";

interface Props {
  readonly drawables: readonly Drawable[];
  /** What is wrong with what was entered, by block id. */
  readonly errors?: Readonly<Record<string, string>>;
}

/** The blocks of a bot's message, of a modal or of App Home. */
export function Blocks({ drawables, errors = {} }: Props): JSX.Element {
  return (
    <>
      {drawables.map((drawable) => (
        <BlockView drawable={drawable} errors={errors} />
      ))}
    </>
  );
}

function BlockView({ drawable, errors }: { readonly drawable: Drawable; readonly errors: Readonly<Record<string, string>> }): JSX.Element {
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
          {drawable.accessory && <Element element={drawable.accessory} />}
        </div>
      );
    case "actions":
      return (
        <div class="actions">
          {drawable.elements.map((element) => (
            <Element key={element.actionId} element={element} />
          ))}
        </div>
      );
    case "input": {
      const error = errors[drawable.element.blockId];
      const labelId = `label ${drawable.element.blockId}`.replace(/\s/g, "-");
      return (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend cannot be laid out like Slack's labels.
        <div class="input" role="group" aria-labelledby={labelId}>
          <p class="label" id={labelId}>
            {drawable.label} {drawable.optional && <span>(optional)</span>}
          </p>
          <Element element={drawable.element} inForm label={drawable.label} />
          {drawable.hint && <p class="hint">{drawable.hint}</p>}
          {error && <p role="alert">{error}</p>}
        </div>
      );
    }
    case "rich":
      return <Rich parts={drawable.parts} />;
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

function Rich({ parts }: { readonly parts: readonly RichPart[] }): JSX.Element {
  const { names } = useSession();
  return (
    <div class="rich">
      {parts.map(({ form, content }) => {
        const inner = content.map((node) => inline(node, names));
        if (form === "quote") return <blockquote>{inner}</blockquote>;
        return form === "code" ? <pre class="fence">{inner}</pre> : <div>{inner}</div>;
      })}
    </div>
  );
}

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
