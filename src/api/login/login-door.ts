import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError, codeOf } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { describedClient } from "../../plugins/logins.ts";
import { BrowserCookie, onlyValue } from "../browser-secret.ts";
import { cardStyle } from "../card-style.ts";
import { htmlType } from "../html.ts";
import { type Route, respond } from "../http-server.ts";
import { clientPath, type LoginFlow, loginRedirect, returnPath, startPath } from "./login-flow.ts";
import { askPage, formPolicy, layout, loginPageWords, onwardPage } from "./login-pages.ts";

export interface LoginDoorParts {
  readonly flow: LoginFlow;
  publicUrl(): string;
  readonly log: Logger;
}

const stylePath = "/mcp/login/style.css";
/** Its name without the prefix. */
const COOKIE = "footnote-login";
const COOKIE_SECONDS = 600;
/** Codes and states of authorization servers are shorter. */
const LONGEST_VALUE = 4_096;

/** The pages between a private link in Slack and a server's own page. No address of a request is ever redirected to. */
export function loginRoutes(parts: LoginDoorParts): readonly Route[] {
  const { publicUrl } = parts;
  return [
    {
      method: "GET",
      path: startPath,
      policy: "signed-link",
      handle: (request, response) => guarded(parts, request, response, ask),
    },
    {
      method: "POST",
      path: startPath,
      policy: "signed-link",
      handle: (request, response) => guarded(parts, request, response, start),
    },
    {
      method: "GET",
      path: returnPath,
      policy: "login-state",
      handle: (request, response) => guarded(parts, request, response, finish),
    },
    {
      method: "GET",
      path: stylePath,
      policy: "public",
      handle: (_request, response) => respond(response, 200, cardStyle, "text/css; charset=utf-8"),
    },
    {
      method: "GET",
      path: clientPath,
      policy: "public",
      handle: (_request, response) => {
        const { redirectUrl, clientMetadataUrl } = loginRedirect(publicUrl());
        response.writeHead(200, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ client_id: clientMetadataUrl, ...describedClient(redirectUrl) }));
      },
    },
  ];
}

const tokenOf = ({ url = "" }: IncomingMessage): string => url.split("?")[0]?.slice(startPath.length) ?? "";

/** Shows for which account it is, so that nobody who was sent somebody else's link logs in for them. Uses nothing up: programs look at links, too. */
async function ask({ flow, publicUrl }: LoginDoorParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { names, browser } = await flow.look(tokenOf(request));
  const words = loginPageWords(names.locale);
  response.setHeader("Set-Cookie", new BrowserCookie(COOKIE, publicUrl).set(browser, COOKIE_SECONDS));
  response.setHeader("Content-Security-Policy", formPolicy);
  respond(response, 200, askPage(words, names), htmlType);
}

/** Only from the page above, in the same browser: its cookie does not come with what another site sends. */
async function start({ flow, publicUrl }: LoginDoorParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const browser = new BrowserCookie(COOKIE, publicUrl).read(request);
  const site = request.headers["sec-fetch-site"];
  if (!browser || (site !== undefined && site !== "same-origin")) throw new AppError("LOGIN_INVALID");
  request.resume();
  const { page, names } = await flow.start(tokenOf(request), browser);
  // Not a redirect: browsers hold what a form leads to against form-action, and the server's page is elsewhere.
  respond(response, 200, onwardPage(loginPageWords(names.locale), page), htmlType);
}

async function finish({ flow, publicUrl }: LoginDoorParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [state, code, iss] = ["state", "code", "iss"].map((name) => onlyValue(request, name, LONGEST_VALUE));
  const cookie = new BrowserCookie(COOKIE, publicUrl);
  const browser = cookie.read(request);
  if (!state || !browser) throw new AppError("LOGIN_INVALID");
  response.setHeader("Set-Cookie", cookie.clear());
  // Whoever said no there, or was refused: what the page says of it is anybody's text and is not shown.
  const unknown = browsersWords(request);
  if (!code) return respond(response, 200, layout(unknown, unknown.refused, unknown.notLetIn), htmlType);
  const { server, locale } = await flow.finish({ state, browser, code, ...(iss !== undefined && { iss }) });
  const words = loginPageWords(locale);
  respond(response, 200, layout(words, words.done(server), words.close), htmlType);
}

/** Where nobody knows whose page it is. */
const browsersWords = ({ headers }: IncomingMessage) => loginPageWords(headers["accept-language"]);

async function guarded(
  parts: LoginDoorParts,
  request: IncomingMessage,
  response: ServerResponse,
  work: (parts: LoginDoorParts, request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<void> {
  try {
    await work(parts, request, response);
  } catch (thrown) {
    const [id, code] = [newId(), codeOf(thrown)];
    parts.log.warn("A log-in at an external server did not come about.", { trace: id, code });
    const known = thrown instanceof AppError && code !== "INTERNAL";
    const words = browsersWords(request);
    const why = code === "LOGIN_INVALID" ? words.invalid : known ? thrown.message : words.broken;
    respond(response, known ? 400 : 502, layout(words, words.refused, `${why} (${id})`), htmlType);
  }
}
