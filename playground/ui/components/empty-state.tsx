import type { JSX } from "preact";
import { useSession } from "../session.ts";
import { suggestionsFor } from "../suggestions.ts";
import { useSend } from "../use-send.ts";
import { Logo } from "./icons.tsx";

/** What a conversation without messages shows: what this place is, and questions to click. */
export function EmptyState({ readers }: { readonly readers: readonly string[] | undefined }): JSX.Element {
  const { place, channel } = useSession();
  const { send, error } = useSend();
  const suggestions = suggestionsFor(place);
  return (
    <section class="empty">
      <Logo />
      <h3>{channel ? `This is the beginning of #${channel.name}` : "Ask Footnote in private"}</h3>
      <p>
        {readers
          ? `${listOf(readers)} ${readers.length === 1 ? "reads" : "read"} here, so an answer uses only documents that ${readers.length === 1 ? "this person" : "all of them"} may read.`
          : "Here an answer may use every document that you may read, and only you see it."}
      </p>
      {suggestions.length > 0 && (
        <>
          <p id="suggestions-title">Try one of these:</p>
          <ul class="suggestions" aria-labelledby="suggestions-title">
            {suggestions.map((question) => (
              <li key={question}>
                <button type="button" onClick={() => void send(channel ? `@footnote ${question}` : question)}>
                  {question}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {error && <p role="alert">{error}</p>}
    </section>
  );
}

const listOf = (names: readonly string[]): string => new Intl.ListFormat("en", { type: "conjunction" }).format(names);
