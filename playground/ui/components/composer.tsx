import type { JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Candidate, complete, completionsAt } from "../completion.ts";
import { useSession } from "../session.ts";
import { useSend } from "../use-send.ts";
import { Icon } from "./icons.tsx";

/** What was typed and not sent, by conversation, so that a look elsewhere loses nothing. */
const drafts = new Map<string, string>();

interface Props {
  readonly label: string;
  readonly thread?: string;
  readonly autoFocus?: boolean;
}

/** Where a person writes. Enter sends, Shift+Enter makes a new line, @ and # complete names. */
export function Composer({ label, thread, autoFocus }: Props): JSX.Element {
  const session = useSession();
  const { place, workspace } = session;
  const draftKey = [place.workspace, place.as, place.channel, thread].join("/");
  const [text, setText] = useState(drafts.get(draftKey) ?? "");
  const [candidates, setCandidates] = useState<readonly Candidate[]>([]);
  const [chosen, setChosen] = useState(0);
  const { send, error } = useSend(thread);
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();

  useEffect(() => {
    if (autoFocus && matchMedia("(hover: hover)").matches) field.current?.focus();
  }, [autoFocus]);
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = "auto";
    element.style.height = `${element.scrollHeight}px`;
  });

  const write = (value: string) => {
    setText(value);
    drafts.set(draftKey, value);
    setCandidates(completionsAt(value, field.current?.selectionStart ?? value.length, workspace));
    setChosen(0);
  };
  const accept = (candidate: Candidate) => {
    const caret = field.current?.selectionStart ?? text.length;
    write(complete(text, caret, candidate));
    setCandidates([]);
    field.current?.focus();
  };
  const submit = async () => {
    const message = text.trim();
    if (!message) return;
    write("");
    if (!(await send(message))) write(message);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const candidate = candidates[chosen];
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (candidate && step !== 0) setChosen((chosen + step + candidates.length) % candidates.length);
    else if (candidate && (event.key === "Enter" || event.key === "Tab")) accept(candidate);
    else if (candidate && event.key === "Escape") setCandidates([]);
    else if (event.key === "Enter" && !event.shiftKey) void submit();
    else return;
    event.preventDefault();
  };

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {candidates.length > 0 && (
        <div class="completions" role="listbox" id={listId} aria-label="Completions">
          {candidates.map((candidate, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard chooses through the text field, which keeps the focus
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            <div
              key={candidate.insert}
              role="option"
              id={`${listId}-${index}`}
              aria-selected={index === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => accept(candidate)}
            >
              <strong>{candidate.insert}</strong> {candidate.hint}
            </div>
          ))}
        </div>
      )}
      {error && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
      <div class="field">
        <textarea
          ref={field}
          rows={1}
          value={text}
          placeholder={label}
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={candidates.length > 0 ? listId : undefined}
          aria-activedescendant={candidates.length > 0 ? `${listId}-${chosen}` : undefined}
          onInput={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onBlur={() => setCandidates([])}
        />
        <button type="submit" class="icon-button send" aria-label="Send" disabled={!text.trim()}>
          <Icon name="send" />
        </button>
      </div>
      <p class="hint">Enter to send, Shift + Enter for a new line{place.channel === "direct" || thread ? "" : ", @footnote to ask"}</p>
    </form>
  );
}
