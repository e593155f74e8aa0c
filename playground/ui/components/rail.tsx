import type { JSX } from "preact";
import type { Workspace } from "../page-api.ts";
import { useSession } from "../session.ts";

/** The narrow bar at the left: one tile for each workspace. */
export function Rail({ workspaces }: { readonly workspaces: readonly Workspace[] }): JSX.Element {
  const { workspace: shown, go } = useSession();
  return (
    <nav class="rail" aria-label="Workspaces">
      {workspaces.map((workspace, index) => (
        <button
          type="button"
          key={workspace.name}
          class="tile"
          data-accent={index % 4}
          title={workspace.title}
          aria-label={workspace.title}
          aria-current={workspace.name === shown.name ? "true" : undefined}
          onClick={() => go({ workspace: workspace.name, thread: "" })}
        >
          {workspace.title.slice(0, 2)}
        </button>
      ))}
    </nav>
  );
}
