import { AppError } from "../../core/errors.ts";
import type { SafeFetch } from "../../safe-fetch/port.ts";
import type { WorkspaceServer } from "../workspace-servers.ts";
import type { HttpTransport, McpServer } from "./server.ts";

/** Milliseconds without a word, and in all, after which a call at such a server is given up. */
const SILENCE_MS = 60_000;
const TOTAL_MS = 300_000;
/** Most tools that such a server may offer: everybody's database holds their definitions. Real servers have up to a hundred. */
export const MOST_TOOLS = 200;

/** A server that a workspace's admins have added, as connections know it. It is always elsewhere. */
export const asServer = ({ name, title, url, access, revision }: WorkspaceServer): McpServer => ({
  ...{ name, title, revision, workspaces: undefined, effects: {}, silenceMs: SILENCE_MS, totalMs: TOTAL_MS },
  transport: { kind: "http", url, ...accessOf(access) },
});

function accessOf(access: WorkspaceServer["access"]): Pick<HttpTransport, "headers" | "login"> {
  if (access.kind === "header") return { headers: access.secret ? { [access.header]: access.secret } : {} };
  if (access.kind === "open") return { headers: {} };
  const { issuer, scopes, clientId } = access;
  return { headers: {}, login: { issuer, scopes, ...(clientId !== undefined && { client: { id: clientId } }) } };
}

/** Whether two servers' tools could have one name: what stands in front of them is made of these letters. */
export const clash = (one: string, other: string): boolean => lettersOf(one) === lettersOf(other);

const lettersOf = (name: string): string => name.replace(/[^a-z0-9]+/g, "_").replace(/_+$/, "");

/**
 * The same way out, which does not say why an address was not reached: whether a host inside the operator's network has a name, and what
 * listens there, is nothing that a workspace's admins may find out.
 */
export const veiled =
  (out: SafeFetch): SafeFetch =>
  async (url, request) => {
    try {
      return await out(url, request);
    } catch (thrown) {
      if (thrown instanceof AppError && /^FETCH_(?:REFUSED|FAILED)$/.test(thrown.code)) throw new AppError("MCP_UNREACHABLE");
      throw thrown;
    }
  };
