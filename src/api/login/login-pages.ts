import { escapeHtml } from "../html.ts";
import type { LoginNames } from "./login-flow.ts";

/** As for every page, but for one form that leads back here. */
export const formPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const english = {
  language: "en",
  title: (server: string) => `Log in at ${server}`,
  connects: (server: string, person: string, workspace: string) =>
    `You connect ${server} to the Slack account ${person} of ${workspace}. Go on only if that is you.`,
  warning: "If somebody sent you this link, close the page: they would see what you may see there.",
  go: "That is me, go on",
};

const german: typeof english = {
  language: "de",
  title: (server) => `Bei ${server} anmelden`,
  connects: (server, person, workspace) =>
    `Du verbindest ${server} mit dem Slack-Konto ${person} von ${workspace}. Mach nur weiter, wenn du das bist.`,
  warning: "Hat dir jemand diesen Link geschickt, dann schließe die Seite: Diese Person sähe sonst, was du dort sehen darfst.",
  go: "Das bin ich, weiter",
};

/** In the language that somebody has set in Slack. */
export const loginPageWords = (locale: string | undefined): typeof english => (locale?.startsWith("de") ? german : english);

/** Asks whoever opened a link whether it is theirs. The form goes to the page's own address. */
export const askPage = (words: typeof english, { server, person, workspace }: LoginNames): string =>
  page(
    words.title(server),
    `<p>${escapeHtml(words.connects(server, person, workspace))}</p><p>${escapeHtml(words.warning)}</p>` +
      `<form method="post"><button class="go" type="submit">${escapeHtml(words.go)}</button></form>`,
    { language: words.language, style: deeper },
  );

/** Leads on to the server's own page. */
export const onwardPage = (address: string): string =>
  page("Going on to log in", `<p><a class="go" href="${escapeHtml(address)}">Go on</a></p>`, {
    style: deeper,
    head: `<meta http-equiv="refresh" content="0;url=${escapeHtml(address)}">`,
  });

/** A page with one sentence, seen from the way back; what is wrong with a link is said without a style. */
export const layout = (title: string, text: string): string => page(title, `<p>${escapeHtml(text)}</p>`);

/** Relative, as the program may be reached below a path; a link's page is one folder deeper than the way back. */
const deeper = "../style.css";

const page = (title: string, body: string, { language = "en", head = "", style = "style.css" } = {}): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}<title>${escapeHtml(title)}</title><link rel="stylesheet" href="${style}"></head><body><main><p class="brand">Footnote<sup>1</sup></p><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
