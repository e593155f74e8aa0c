import type { IncomingMessage, ServerResponse } from "node:http";
import type { State } from "./state.ts";

/** Gives a dropped file to the bot of its workspace; everybody else gets a page to sign in at, as from Slack. @returns whether it was one */
export function servedFile(state: State, request: IncomingMessage, url: URL, response: ServerResponse): boolean {
  const [, id] = /^\/files\/(F[A-Z0-9]+)\//.exec(url.pathname) ?? [];
  if (id === undefined) return false;
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const workspace = state.workspaces.find(({ botToken, installed }) => installed && botToken === token);
  const bytes = workspace?.fileBytes.get(id);
  if (bytes) response.writeHead(200, { "content-type": "application/octet-stream" }).end(bytes);
  else response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Sign in</body></html>");
  return true;
}
