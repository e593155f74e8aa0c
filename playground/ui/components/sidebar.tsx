import type { JSX } from "preact";
import { useSession } from "../session.ts";
import { About } from "./about.tsx";
import { Icon, Logo } from "./icons.tsx";
import { PersonSwitch } from "./person-switch.tsx";

/** The workspace's name, who you are in it, and the conversations you are in. */
export function Sidebar({ unread }: { readonly unread: ReadonlySet<string> }): JSX.Element {
  const { workspace, person } = useSession();
  const own = workspace.channels.filter(({ id }) => person.channels.includes(id));
  return (
    <div class="sidebar">
      <h1>{workspace.title}</h1>
      <PersonSwitch />
      <nav aria-label="Conversations">
        <h2 id="channels-title">Channels</h2>
        <ul aria-labelledby="channels-title">
          {own.map((channel) => (
            <Entry
              key={channel.id}
              name={channel.name}
              label={channel.name}
              icon={<Icon name={channel.private ? "lock" : "hash"} />}
              unread={unread.has(channel.id)}
              hint={channel.private ? "private" : undefined}
            />
          ))}
        </ul>
        <h2 id="direct-title">Direct messages</h2>
        <ul aria-labelledby="direct-title">
          <Entry name="direct" label="Footnote" icon={<Logo />} unread={unread.has("direct")} />
        </ul>
      </nav>
      <About />
    </div>
  );
}

interface EntryProps {
  readonly name: string;
  readonly label: string;
  readonly icon: JSX.Element;
  readonly unread: boolean;
  readonly hint?: string | undefined;
}

function Entry({ name, label, icon, unread, hint }: EntryProps): JSX.Element {
  const { place, go } = useSession();
  return (
    <li>
      <button
        type="button"
        class={unread ? "entry unread" : "entry"}
        aria-current={place.channel === name || (name === "direct" && place.channel === "home") ? "page" : undefined}
        onClick={() => go({ channel: name, thread: "" })}
      >
        {icon}
        <span class="entry-name">{label}</span>
        {hint && <span class="visually-hidden">({hint})</span>}
        {unread && <span class="visually-hidden">, unread</span>}
      </button>
    </li>
  );
}
