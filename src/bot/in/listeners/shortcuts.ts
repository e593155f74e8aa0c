import { readShortcut } from "../../surfaces/click.ts";
import { shortcuts } from "../../surfaces/controls.ts";
import type { Listener } from "./listener.ts";

/** What people do with somebody's message from its menu: begun at once, acknowledged at once. */
export const messageShortcuts: readonly Listener[] = Object.keys(shortcuts).map((shortcut) => ({
  on: { shortcut },
  policy: "person-click",
  async handle({ installation, body }, _inbox, { surface }) {
    const click = readShortcut(installation.tenant, body);
    if (click) surface.clicked(click);
  },
}));
