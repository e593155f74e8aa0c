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
  onward: "Going on to log in",
  follow: "Go on",
  done: (server: string) => `You are logged in at ${server}`,
  close: "You can close this page. In Slack the answer goes on by itself.",
  refused: "You are not logged in",
  notLetIn: "The server did not let you in. Ask again in Slack to get a new link.",
  invalid: "This log-in is not valid any more. Ask again in Slack to get a new link.",
  broken: "The server could not be asked, or answered in a way that is not safe to follow.",
};

const german: typeof english = {
  language: "de",
  title: (server) => `Bei ${server} anmelden`,
  connects: (server, person, workspace) =>
    `Du verbindest ${server} mit dem Slack-Konto ${person} von ${workspace}. Mach nur weiter, wenn du das bist.`,
  warning: "Hat dir jemand diesen Link geschickt, dann schließe die Seite: Diese Person sähe sonst, was du dort sehen darfst.",
  go: "Das bin ich, weiter",
  onward: "Weiter zur Anmeldung",
  follow: "Weiter",
  done: (server) => `Du bist bei ${server} angemeldet`,
  close: "Du kannst diese Seite schließen. In Slack geht die Antwort von selbst weiter.",
  refused: "Du bist nicht angemeldet",
  notLetIn: "Der Server hat dich nicht hereingelassen. Frag in Slack noch einmal, dann bekommst du einen neuen Link.",
  invalid: "Diese Anmeldung gilt nicht mehr. Frag in Slack noch einmal, dann bekommst du einen neuen Link.",
  broken: "Der Server war nicht zu erreichen, oder er hat so geantwortet, dass man ihm nicht folgen darf.",
};

/** In the language that somebody has set in Slack, or their browser in a request's Accept-Language. */
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
export const onwardPage = (words: typeof english, address: string): string =>
  page(words.onward, `<p><a class="go" href="${escapeHtml(address)}">${escapeHtml(words.follow)}</a></p>`, {
    ...{ language: words.language, style: deeper },
    head: `<meta http-equiv="refresh" content="0;url=${escapeHtml(address)}">`,
  });

/** A page with one sentence, seen from the way back; what is wrong with a link is said without a style. */
export const layout = (words: typeof english, title: string, text: string): string =>
  page(title, `<p>${escapeHtml(text)}</p>`, { language: words.language });

/** Relative, as the program may be reached below a path; a link's page is one folder deeper than the way back. */
const deeper = "../style.css";

const page = (title: string, body: string, { language = "en", head = "", style = "style.css" } = {}): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${head}<title>${escapeHtml(title)}</title><link rel="stylesheet" href="${style}"></head><body><main><p class="brand">Footnote<sup>1</sup></p><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
