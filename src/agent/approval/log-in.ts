import { mayShowOwn } from "../../permissions/approval.ts";
import type { Tool, ToolResult } from "../../plugins/contract.ts";
import type { PersonLogins } from "../ports.ts";
import type { Session } from "../session.ts";
import { notices, refused, waitingFor } from "./refusal.ts";
import { type WaitingParts, whileWaiting } from "./waiting.ts";

export interface LogInParts extends WaitingParts {
  readonly session: Session;
  readonly logins: PersonLogins | undefined;
  readonly signal: AbortSignal;
}

/** Has whoever asks log in where a tool needs that, and waits for it. Nothing when the call can go on; else the result says why not. */
export async function loggedIn({ login }: Tool, parts: LogInParts): Promise<ToolResult | undefined> {
  const { session, logins, signal } = parts;
  const { tenant } = session.question;
  if (login && !mayShowOwn(session.place, session.person)) return notBeforeOthers;
  if (!login || (await login.ready(tenant, session.person.id))) return undefined;
  if (!logins) return nobody;
  const { server, title } = login;
  const outcome = await whileWaiting(waitingFor.login, parts, (asked) => logins.ask(session.question, { server, title }, signal, asked));
  return outcome === "logged-in" ? undefined : outcome === "expired" ? expired : nobody;
}

const notBeforeOthers = refused(
  "NOT_BEFORE_OTHERS",
  "This tool finds what only the asker may see, and guests or people of other organisations may read along here, so it was not called. Say that it can be asked for in a direct message, or searched privately.",
);
const expired = refused(
  "LOGIN_EXPIRED",
  "The asker did not log in at this server in time, so the call was not made. Say so.",
  notices.noLogin,
);
const nobody = refused(
  "LOGIN_NEEDED",
  "The asker has to log in at this server first, for which there is no way here. Say that it can be asked for in a conversation in Slack.",
);
