import { AppError, type ErrorCode } from "../../core/errors.ts";
import { escapeHtml } from "../html.ts";

/** What an installation came to. Names are anybody's text. */
export interface InstalledReport {
  readonly name: string;
  readonly kind: "workspace" | "organisation";
  /** Whether it was installed before. */
  readonly again: boolean;
  readonly missing: readonly { readonly scope: string; readonly consequence: string }[];
  readonly workspaces: readonly string[];
  /** Where to go on in Slack. */
  readonly next: string;
}

/** Where an installation begins, seen from every page here: the public address may have a path of its own. */
const startAgain = "install";
const stylesheet = "install/style.css";

export function installedPage(report: InstalledReport): string {
  const { name, again, missing } = report;
  const title = `Footnote is ${again ? "installed again" : "installed"} in ${name}`;
  return layout(
    title,
    `${report.kind === "organisation" ? forOrganisation(report) : forWorkspace(report)}${gaps(missing)}${nextLink(report)}`,
  );
}

function forWorkspace({ again }: InstalledReport): string {
  const kept = again ? "<p>Its documents, templates and settings are as they were.</p>" : "";
  return `${kept}<p>${again ? "Footnote is back at work" : "Footnote writes to you in Slack now, with three things to try"}. To begin:</p>
<ol><li>Invite it to a channel with <code>/invite @footnote</code>.</li><li>Mention it there with a question, or write to it directly.</li></ol>`;
}

function forOrganisation({ workspaces }: InstalledReport): string {
  if (workspaces.length === 0)
    return "<p>Slack has added it to no workspace yet. Choose the workspaces in which people may use it; each has its own documents and settings.</p>";
  const listed = workspaces.map((name) => `<li>${escapeHtml(name)}</li>`).join("");
  return `<p>It can be used in these workspaces, each with its own documents and settings:</p><ul>${listed}</ul>`;
}

function gaps(missing: InstalledReport["missing"]): string {
  if (missing.length === 0) return "";
  const listed = missing.map(({ scope, consequence }) => `<li><code>${escapeHtml(scope)}</code>: ${escapeHtml(consequence)}</li>`).join("");
  const scopes = missing.length === 1 ? "One permission was" : `${missing.length} permissions were`;
  return `<section class="gaps"><h2>${scopes} not granted</h2><ul>${listed}</ul>
<p>Compare the app's scopes with Footnote's manifest, then install it again.</p></section>`;
}

function nextLink({ kind, next }: InstalledReport): string {
  return `<a class="go" href="${escapeHtml(next)}">${kind === "organisation" ? "Choose workspaces in Slack" : "Open Slack"}</a>`;
}

/** Somebody thought better of it on Slack's page: that is no error. */
export const cancelledPage = (): string =>
  layout(
    "Nothing was installed",
    `<p>You did not agree on Slack's page, so Footnote has no access to your workspace.</p>
<p>In some workspaces an administrator has to approve an app first. Once that is done, begin again.</p><a class="go" href="${startAgain}">Begin again</a>`,
  );

/** What to do, by error; where there is nothing, beginning again is all. */
const mends: Partial<Record<ErrorCode, string>> = {
  INSTALL_STATE_INVALID: "Begin again, and finish within ten minutes in this same browser. Cookies must be allowed for this page.",
  INSTALL_CODE_REFUSED:
    "Begin again. If it keeps happening, whoever runs this Footnote finds the reason with <code>footnote doctor</code>.",
  INSTALL_APP_DIFFERS: "Whoever runs this Footnote should compare SLACK_APP_ID with the app's Basic Information page.",
  INSTALL_NOT_ALLOWED: "Nothing was kept. Ask whoever runs this Footnote to allow your workspace.",
  SLACK_UNREACHABLE: "Nothing was installed. Begin again in a few minutes.",
};

/** @param id names the record in the log */
export function failedPage(thrown: unknown, id: string): string {
  const error = thrown instanceof AppError && thrown.code in mends ? thrown : new AppError("INTERNAL");
  const said = error.code === "SLACK_UNREACHABLE" ? "Slack could not be reached." : error.sentence;
  const mend = mends[error.code] ?? "Begin again. If it keeps happening, tell whoever runs this Footnote.";
  return layout(
    "This did not work",
    `<p>${escapeHtml(said)}</p>${mend && `<p>${mend}</p>`}<a class="go" href="${startAgain}">Begin again</a>
<p class="small">Error ${escapeHtml(id)}. Whoever runs this Footnote finds more about it in the log.</p>`,
  );
}

function layout(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title><link rel="stylesheet" href="${stylesheet}"></head>
<body>
<main><p class="brand">Footnote<sup>1</sup></p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}
