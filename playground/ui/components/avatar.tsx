import type { JSX } from "preact";
import { useSession } from "../session.ts";
import { Logo } from "./icons.tsx";

/** How many colours people's pictures have; the style sheet names each. */
const colours = 5;

/** A person's picture: initials on a colour that follows from their place in the workspace. */
export function Avatar({ userId }: { readonly userId: string }): JSX.Element {
  const { workspace } = useSession();
  if (userId === workspace.bot.id) return <Logo />;
  const index = workspace.people.findIndex(({ id }) => id === userId);
  const initials = (workspace.people[index]?.displayName ?? "?")
    .split(" ")
    .map((word) => word[0])
    .slice(0, 2)
    .join("");
  return (
    <span class="avatar" data-colour={(index + colours) % colours} aria-hidden="true">
      {initials}
    </span>
  );
}
