import { readClick } from "../../surfaces/click.ts";
import { controls, forms } from "../../surfaces/controls.ts";
import type { Listener } from "./listener.ts";

/** Buttons, menus and forms of answers, modals and App Home: begun at once, acknowledged at once. */
export const surfaceListeners: readonly Listener[] = [
  ...Object.keys(controls).map((action) => ({ action })),
  ...Object.keys(forms).map((form) => ({ form })),
].map((on) => ({
  on,
  policy: "person-click",
  async handle({ installation, payload, body }, _inbox, { surface }) {
    const click = readClick(installation.tenant, payload, body);
    if (click) surface.clicked(click);
  },
}));
