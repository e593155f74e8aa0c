import { readClick } from "../../surfaces/click.ts";
import { controls, forms } from "../../surfaces/controls.ts";
import type { Listener } from "./listener.ts";

/** Buttons and menus of answers, modals and App Home: begun at once, acknowledged at once. */
const elements: readonly Listener[] = Object.keys(controls).map((action) => ({
  on: { action },
  policy: "person-click",
  async handle({ installation, payload, body }, _inbox, { surface }) {
    const click = readClick(installation.tenant, payload, body);
    if (click) surface.clicked(click);
  },
}));

/** Forms of modals: what is wrong in them goes along with the acknowledgement, and what is right is done after it. */
const sentForms: readonly Listener[] = Object.keys(forms).map((form) => ({
  on: { form },
  policy: "person-click",
  async handle({ installation, payload, body }, _inbox, { surface }) {
    const click = readClick(installation.tenant, payload, body);
    return click && surface.submitted(click);
  },
}));

export const surfaceListeners: readonly Listener[] = [...elements, ...sentForms];
