import type { JSX } from "preact";
import { useSession } from "../session.ts";
import { useConversation } from "../use-conversation.ts";
import { AppHome } from "./app-home.tsx";
import { Composer } from "./composer.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Icon, Logo } from "./icons.tsx";
import { MessageList } from "./message-list.tsx";
import { Prompts } from "./prompts.tsx";

/** The conversation in the middle: a channel's top level, or the direct message with the bot. */
export function ChannelView({ onMenu }: { readonly onMenu: () => void }): JSX.Element {
  const session = useSession();
  const { workspace, channel, place } = session;
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
        {!channel && <Tabs />}
        <p class="topic">{channel ? channel.topic : "Only you and Footnote"}</p>
        {readers && (
          <p class="readers" title={`Who reads here: ${readers.join(", ")}`}>
            <Icon name="person" />
            <span class="visually-hidden">Readers: </span>
            {readers.length}
          </p>
        )}
      </header>
      {place.channel === "home" ? (
        <AppHome />
      ) : (
        <>
          <MessageList conversation={conversation} label={`Messages in ${title}`} empty={<EmptyState readers={readers} />} />
          {!channel && <Prompts />}
          <Composer label={channel ? `Message #${title}` : "Message Footnote"} />
        </>
      )}
    </main>
  );
}

/** The two sides of the bot's own conversation. */
function Tabs(): JSX.Element {
  const { place, go } = useSession();
  const tab = (name: "home" | "direct", label: string) => (
    <button type="button" aria-pressed={place.channel === name} onClick={() => go({ channel: name, thread: "" })}>
      {label}
    </button>
  );
  return (
    <nav class="tabs" aria-label="Footnote's tabs">
      {tab("home", "Home")}
      {tab("direct", "Messages")}
    </nav>
  );
}
