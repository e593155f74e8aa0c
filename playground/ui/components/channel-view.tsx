import type { JSX } from "preact";
import { useSession } from "../session.ts";
import { useConversation } from "../use-conversation.ts";
import { Composer } from "./composer.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Icon, Logo } from "./icons.tsx";
import { MessageList } from "./message-list.tsx";

/** The conversation in the middle: a channel's top level, or the direct message with the bot. */
export function ChannelView({ onMenu }: { readonly onMenu: () => void }): JSX.Element {
  const session = useSession();
  const { workspace, channel } = session;
  const conversation = useConversation(session);
  const readers = channel?.members.filter((id) => id !== workspace.bot.id).map((id) => session.names.user(id) ?? "somebody");
  const title = channel ? channel.name : "Footnote";
  return (
    <main class="channel">
      <header>
        <button type="button" class="icon-button menu-button" aria-label="Open the menu" onClick={onMenu}>
          <Icon name="menu" />
        </button>
        <h2>
          {channel ? <Icon name={channel.private ? "lock" : "hash"} /> : <Logo />}
          {title}
        </h2>
        <p class="topic">{channel ? channel.topic : "Only you and Footnote"}</p>
        {readers && (
          <p class="readers" title={`Who reads here: ${readers.join(", ")}`}>
            <Icon name="person" />
            <span class="visually-hidden">Readers: </span>
            {readers.length}
          </p>
        )}
      </header>
      <MessageList conversation={conversation} label={`Messages in ${title}`} empty={<EmptyState readers={readers} />} />
      <Composer label={channel ? `Message #${title}` : "Message Footnote"} />
    </main>
  );
}
