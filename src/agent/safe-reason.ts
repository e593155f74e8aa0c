import { messageOf } from "../core/errors.ts";

const LONGEST = 300;

/** Shapes of secrets and of places inside our network, which neither the model nor a reader of the trace needs. */
const redactions: readonly (readonly [RegExp, string])[] = [
  // First: what the others take out of the middle would leave the rest of it.
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s/@]+:[^\s/@]+@[^\s)]*/gi, "[address]"],
  [/\b(?:xox[a-z]?|xapp|sk|pk|rk|gh[pousr]|github_pat|glpat|AKIA|eyJ)[-_A-Za-z0-9.]{10,}/g, "[secret]"],
  [/\b(?:bearer|basic|token|api[-_ ]?key|password|secret)\b\s*[:=]?\s*[^\s,;)]{6,}/gi, "[secret]"],
  [/\b(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)(?:\.\d{1,3}){2,3}(?::\d+)?\b/g, "[address]"],
  [/\blocalhost:\d+/gi, "[address]"],
];

/** Why something failed in one short line, fit for the model and the trace: no stack, no secret, no internal address. */
export function safeReason(thrown: unknown): string {
  const first = messageOf(thrown).split("\n", 1)[0]?.trim() ?? "";
  const clean = redactions.reduce((text, [shape, stand]) => text.replace(shape, stand), first);
  return (clean || "It failed without a reason.").slice(0, LONGEST);
}
