import type { Workspace } from "./state.ts";

/** The choice of somebody who does not agree. */
export const cancelChoice = "cancel";

/** What Slack shows before an installation: for which workspace or organisation, with which scopes. Each choice is a link to itself. */
export function consentPage(url: URL, workspaces: readonly Workspace[]): string {
  const link = (choice: string, label: string, extra = "") => {
    const next = new URL(url);
    next.searchParams.set("choice", choice);
    return `<a href="${escapeHtml(next.pathname + next.search)}"${extra}>${escapeHtml(label)}</a>`;
  };
  const organisations = new Map(workspaces.flatMap(({ enterprise }) => (enterprise ? [[enterprise.id, enterprise.name] as const] : [])));
  const choices = [
    ...workspaces.map(({ name, title }) => link(name, `Allow in ${title}`)),
    ...[...organisations].map(([id, name]) => link(id, `Allow in all of ${name}`)),
  ];
  const scopes = (url.searchParams.get("scope") ?? "").split(",").map((scope) => `<li>${escapeHtml(scope)}</li>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Slack, played: Footnote asks for access</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;color:#1d1c1d}a{display:block;margin:.6rem 0;padding:.7rem 1rem;border-radius:6px;background:#007a5a;color:#fff;text-decoration:none;font-weight:600}a.no{background:none;color:#1d1c1d;border:1px solid #bbb}ul{columns:2;color:#616061;font-size:.9rem}</style></head>
<body><h1>Footnote asks for access</h1><p>This is the playground's Slack. With it the app may:</p><ul>${scopes.join("")}</ul>
${choices.join("\n")}
${link(cancelChoice, "Cancel", ' class="no"')}
</body></html>
`;
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
