import type { JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Candidate, complete, completionsAt } from "../completion.ts";
import type { SentFile } from "../page-api.ts";
import { useSession } from "../session.ts";
import { useSend } from "../use-send.ts";
import { Icon } from "./icons.tsx";

/** What was typed and not sent, by conversation, so that a look elsewhere loses nothing. */
const drafts = new Map<string, string>();

/** A file as it is sent: read whole, as base64. */
const asSent = (file: File): Promise<SentFile> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve({ name: file.name, data: String(reader.result).replace(/^.*?,/, "") });
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

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
  const [files, setFiles] = useState<readonly SentFile[]>([]);
  const picker = useRef<HTMLInputElement>(null);
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
    if (!message && files.length === 0) return;
    const sent = files;
    write("");
    setFiles([]);
    if (await send(message, sent)) return;
    write(message);
    setFiles(sent);
  };
  const attach = async (chosen: FileList | null) => setFiles([...files, ...(await Promise.all([...(chosen ?? [])].map(asSent)))]);
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
      {files.length > 0 && (
        <ul class="attached" aria-label="Files to send">
          {files.map(({ name }) => (
            <li key={name}>
              {name}
              <button type="button" aria-label={`Leave out ${name}`} onClick={() => setFiles(files.filter((file) => file.name !== name))}>
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="field">
        <button type="button" class="icon-button" aria-label="Attach files" onClick={() => picker.current?.click()}>
          <Icon name="clip" />
        </button>
        <input ref={picker} type="file" multiple hidden aria-label="Files" onChange={(event) => void attach(event.currentTarget.files)} />
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
        <button type="submit" class="icon-button send" aria-label="Send" disabled={!text.trim() && files.length === 0}>
          <Icon name="send" />
        </button>
      </div>
      <p class="hint">Enter to send, Shift + Enter for a new line{place.channel === "direct" || thread ? "" : ", @footnote to ask"}</p>
    </form>
  );
}
