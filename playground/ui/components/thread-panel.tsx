import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { useSession } from "../session.ts";
import { useConversation } from "../use-conversation.ts";
import { useScreen } from "../use-screen.ts";
import { Composer } from "./composer.tsx";
import { Icon } from "./icons.tsx";
import { MessageList } from "./message-list.tsx";

/** The thread beside the channel. Escape closes it. */
export function ThreadPanel({ thread }: { readonly thread: string }): JSX.Element {
  const session = useSession();
  const conversation = useConversation(session, thread);
  const titles = useScreen(session)?.titles;
  const name = session.channel ? undefined : titles?.[thread];
  const { closeThread } = session;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("dialog[open]")) closeThread();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [thread]);
  return (
    <aside class="thread" aria-label="Thread">
      <header>
        <h2>{name ?? "Thread"}</h2>
        <p class="topic">{session.channel ? `#${session.channel.name}` : "Footnote"}</p>
        <button type="button" class="icon-button" aria-label="Close the thread" onClick={closeThread}>
          <Icon name="close" />
        </button>
      </header>
      <MessageList
        conversation={conversation}
        label="Messages in the thread"
        thread={thread}
        empty={<p class="loading">This thread does not exist, or you may not read it.</p>}
      />
      <Composer label="Reply" thread={thread} autoFocus />
    </aside>
  );
}
