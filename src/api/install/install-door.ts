import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../../core/clock.ts";
import { AppError, codeOf } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import { BrowserCookie, hashOf, isNonce, newNonce, onlyValue } from "../browser-secret.ts";
import { cardStyle } from "../card-style.ts";
import { htmlType } from "../html.ts";
import { type Route, respond } from "../http-server.ts";
import { cancelledPage, failedPage, type InstalledReport, installedPage } from "./install-pages.ts";
import type { InstallStates } from "./install-states.ts";

export interface InstallDoorParts {
  readonly states: InstallStates;
  readonly installer: {
    /** Slack's page on which somebody agrees. */
    consentPage(state: string, redirectUri: string): string;
    /** @throws AppError */
    install(code: string, redirectUri: string): Promise<InstalledReport>;
  };
  /** The address under which people reach this server. */
  publicUrl(): string;
  readonly clock: Clock;
  readonly log: Logger;
}

const installPath = "/slack/install";
/** Where Slack sends the browser back to; the manifest names it. */
export const redirectPath = "/slack/oauth_redirect";

/** How long somebody may take on Slack's page. */
const lifetimeMs = 10 * 60_000;
/** Begun and unfinished at once; each is a row of about a hundred bytes, and anybody can begin one. */
const mostOpen = 10_000;
/** Slack's codes, and our states, are far shorter. */
const longestValue = 512;
/** Its name without the prefix. */
const cookieName = "footnote-install";

const statuses: Partial<Record<string, number>> = {
  INSTALL_STATE_INVALID: 400,
  INSTALL_CODE_REFUSED: 400,
  INSTALL_APP_DIFFERS: 403,
  INSTALL_NOT_ALLOWED: 403,
  SLACK_UNREACHABLE: 502,
};

/**
 * Installing from a web page. The state that goes through Slack belongs to the browser that began (its cookie holds a second secret) and
 * is worth something once, within ten minutes, at any process of the database. No address of a request is ever redirected to.
 */
export function installRoutes(parts: InstallDoorParts): readonly Route[] {
  return [
    {
      method: "GET",
      path: installPath,
      policy: "public",
      handle: (_request, response) => guarded(parts, response, () => begin(parts, response)),
    },
    {
      method: "GET",
      path: redirectPath,
      policy: "install-state",
      handle: (request, response) => guarded(parts, response, () => finish(parts, request, response)),
    },
    {
      method: "GET",
      path: `${installPath}/style.css`,
      policy: "public",
      handle: (_request, response) => respond(response, 200, cardStyle, "text/css; charset=utf-8"),
    },
  ];
}

async function begin({ states, installer, publicUrl, clock }: InstallDoorParts, response: ServerResponse): Promise<void> {
  const [state, browser, now] = [newNonce(), newNonce(), clock.now()];
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  await states.begin(hashOf(state), hashOf(browser), { now, expiresAt, most: mostOpen });
  response.setHeader("Set-Cookie", new BrowserCookie(cookieName, publicUrl).set(browser, lifetimeMs / 1000));
  response.writeHead(302, { Location: installer.consentPage(state, redirectUri(publicUrl())) });
  response.end();
}

async function finish(parts: InstallDoorParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { states, installer, publicUrl, clock } = parts;
  const cookie = new BrowserCookie(cookieName, publicUrl);
  const state = onlyValue(request, "state", longestValue);
  const browser = cookie.read(request);
  const known = state !== undefined && isNonce(state) && browser !== undefined && isNonce(browser);
  if (!known || !(await states.redeem(hashOf(state), hashOf(browser), clock.now()))) throw new AppError("INSTALL_STATE_INVALID");
  // Used up, whatever comes of it.
  response.setHeader("Set-Cookie", cookie.clear());
  if (onlyValue(request, "error", longestValue) === "access_denied") return respond(response, 200, cancelledPage(), htmlType);
  const code = onlyValue(request, "code", longestValue);
  if (!code) throw new AppError("INSTALL_CODE_REFUSED");
  respond(response, 200, installedPage(await installer.install(code, redirectUri(publicUrl()))), htmlType);
}

async function guarded({ log }: InstallDoorParts, response: ServerResponse, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const id = newId();
    const code = codeOf(thrown);
    const detail = thrown instanceof AppError && thrown.detail ? ` ${thrown.detail}` : "";
    if (code === "INTERNAL") log.error("An installation failed.", { trace: id, code });
    else log.warn(`An installation did not come about.${detail}`, { trace: id, code });
    respond(response, statuses[code] ?? 500, failedPage(thrown, id), htmlType);
  }
}

const redirectUri = (publicUrl: string): string => `${publicUrl}${redirectPath}`;
