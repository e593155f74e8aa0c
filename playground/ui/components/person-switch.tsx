import type { JSX } from "preact";
import { useSession } from "../session.ts";
import { Avatar } from "./avatar.tsx";

/** Whose eyes to look through. */
export function PersonSwitch(): JSX.Element {
  const { workspace, person: shown, place, go } = useSession();
  // A channel's thread is the same for everybody in it; a direct message's is not.
  const thread = place.channel === "direct" ? "" : (place.thread ?? "");
  return (
    <section class="people" aria-labelledby="people-title">
      <h2 id="people-title">You are</h2>
      <ul>
        {workspace.people.map((person) => (
          <li key={person.id}>
            <button type="button" class="entry" aria-pressed={person.id === shown.id} onClick={() => go({ as: person.name, thread })}>
              <Avatar userId={person.id} />
              <span class="entry-name">{person.displayName}</span>
              <span class="role">{person.role}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
