import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import {
  type BlockButton,
  type BlockElement,
  type BlockField,
  type BlockMenu,
  initialOf,
  linesOf,
  type Option,
} from "../block-elements.ts";
import { type ElementId, useElements } from "../element-use.ts";
import { emojiCharacter } from "../mrkdwn/emoji.ts";
import { Emoji } from "../mrkdwn/emoji-picture.tsx";
import { useSession } from "../session.ts";

/** An element that somebody can use. `inForm`: what is chosen or typed waits until the form is sent. `label`: what stands above it there. */
export function Element({
  element,
  inForm = false,
  label,
}: {
  readonly element: BlockElement;
  readonly inForm?: boolean;
  readonly label?: string;
}): JSX.Element {
  switch (element.kind) {
    case "button":
      return <Button button={element} />;
    case "thumbs":
      return <Thumbs element={element} />;
    case "text":
      return <Field field={element} label={label} />;
    default:
      return <Menu menu={element} inForm={inForm} />;
  }
}

/** Sends what is used; busy while it is on the way, with a sentence when it did not arrive. */
function useSending(element: ElementId) {
  const { use } = useElements();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const send = async (value: string) => {
    setBusy(true);
    await use({ blockId: element.blockId, actionId: element.actionId }, value).then(
      () => setError(undefined),
      (failure: Error) => setError(failure.message),
    );
    setBusy(false);
  };
  return { send, busy, problem: error && <span role="alert">{error}</span> };
}

function Button({ button }: { readonly button: BlockButton }): JSX.Element {
  const { send, busy, problem } = useSending(button);
  const { value, url, confirm: question } = button;
  const onClick = () => {
    if (question && !confirm(question)) return;
    if (url) open(url, "_blank", "noopener,noreferrer");
    void send(value);
  };
  return (
    <>
      <button type="button" class="action" data-style={button.style} aria-label={button.spoken} disabled={busy} onClick={onClick}>
        {button.label}
      </button>
      {problem}
    </>
  );
}

function Thumbs({ element }: { readonly element: Extract<BlockElement, { kind: "thumbs" }> }): JSX.Element {
  const { send, busy, problem } = useSending(element);
  const [given, setGiven] = useState<string>();
  const thumb = (option: Option, name: "thumbsup" | "thumbsdown") => (
    <button
      type="button"
      class="thumb"
      title={option.label}
      aria-label={option.label}
      aria-pressed={given === option.value}
      disabled={busy}
      onClick={() => {
        setGiven(option.value);
        void send(option.value);
      }}
    >
      <Emoji name={name} character={emojiCharacter(name) ?? ""} />
    </button>
  );
  return (
    <span class="thumbs">
      {thumb(element.up, "thumbsup")}
      {thumb(element.down, "thumbsdown")}
      {problem}
    </span>
  );
}

function Menu({ menu, inForm }: { readonly menu: BlockMenu; readonly inForm: boolean }): JSX.Element {
  const { entered, enter, suggest } = useElements();
  const { workspace } = useSession();
  const { send, busy, problem } = useSending(menu);
  const [suggested, setSuggested] = useState<readonly Option[]>([]);
  const value = (inForm && entered?.(menu)) || (menu.initial?.value ?? "");
  const load = () => void (menu.kind === "suggest" && suggest?.(menu, "").then(setSuggested, () => undefined));
  useEffect(load, [menu.actionId, menu.blockId]);
  const choose = (chosen: string) => {
    enter?.(menu, chosen);
    if (!inForm && chosen) void send(chosen);
  };
  const options = menu.kind === "suggest" ? suggested : menu.options;
  const known = !menu.initial || options.some((option) => option.value === menu.initial?.value);
  const all = known ? options : [menu.initial as Option, ...options];
  if (menu.kind === "several" || menu.kind === "people") {
    const people = workspace.people.map(({ id, displayName }) => ({ value: id, label: displayName }));
    const chosen = linesOf(entered?.(menu) ?? initialOf(menu));
    const turn = (option: string) => (chosen.includes(option) ? chosen.filter((each) => each !== option) : [...chosen, option]);
    return (
      <span class="choices several">
        {(menu.kind === "people" ? people : all).map((option) => (
          <label>
            <input type="checkbox" checked={chosen.includes(option.value)} onChange={() => enter?.(menu, turn(option.value).join("\n"))} />
            <span>{option.label}</span>
          </label>
        ))}
      </span>
    );
  }
  if (menu.kind === "radio") {
    return (
      <span class="choices">
        {all.map((option) => (
          <label>
            <input
              type="radio"
              name={`${menu.blockId}/${menu.actionId}`}
              checked={value === option.value}
              onChange={() => choose(option.value)}
            />
            <span>
              {option.label}
              {option.description && <small>{option.description}</small>}
            </span>
          </label>
        ))}
      </span>
    );
  }
  return (
    <>
      <select
        class={menu.kind === "overflow" ? "menu overflow" : "menu"}
        aria-label={menu.placeholder || (menu.kind === "overflow" ? "More" : "Choose")}
        disabled={busy}
        value={value}
        onFocus={load}
        onChange={(event) => {
          choose(event.currentTarget.value);
          if (menu.kind === "overflow") event.currentTarget.value = "";
        }}
      >
        {(menu.kind === "overflow" || !value) && <option value="">{menu.kind === "overflow" ? "⋯" : menu.placeholder}</option>}
        {all.map((option) => (
          <option value={option.value}>{option.label}</option>
        ))}
      </select>
      {problem}
    </>
  );
}

function Field({ field, label }: { readonly field: BlockField; readonly label: string | undefined }): JSX.Element {
  const { entered, enter } = useElements();
  const common = {
    value: entered?.(field) ?? field.initial,
    placeholder: field.placeholder,
    "aria-label": label || field.placeholder || "Text",
    ...(field.longest !== undefined && { maxLength: field.longest }),
  };
  return field.multiline ? (
    <textarea class="field" rows={5} {...common} onInput={(event) => enter?.(field, event.currentTarget.value)} />
  ) : (
    <input class="field" type="text" {...common} onInput={(event) => enter?.(field, event.currentTarget.value)} />
  );
}
