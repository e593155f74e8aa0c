import type { Secret } from "../../core/secret.ts";
import type { ToolEffect } from "../contract.ts";

/** An external MCP server as the operator, or a workspace's admins, have set it up. */
export interface McpServer {
  /** Lower case, digits and hyphens, at most 24 characters: stands in front of its tools' names. */
  readonly name: string;
  readonly title: string;
  /** Names of the workspaces that have it; undefined: all. */
  readonly workspaces: readonly string[] | undefined;
  readonly transport: StdioTransport | HttpTransport;
  /** Milliseconds without a word from the server after which a call is given up; news of progress begin it anew. */
  readonly silenceMs: number;
  /** Milliseconds one call may take in all. */
  readonly totalMs: number;
  /** What the operator says of its tools, by the server's own names; "*" for all that are not named. */
  readonly effects: Readonly<Record<string, ToolEffect>>;
  /** Of a server that the workspace's own admins have added: another one after each change of it. Absent: it is on the operator's list. */
  readonly revision?: string;
  /** How long results of its tools may be used again, in milliseconds, by the server's own names; those not named are not. */
  readonly freshMs?: Readonly<Record<string, number>>;
  /** Whether it may ask, in the middle of a call, that a language model writes something for it; each time only after its asker's click. */
  readonly sampling?: boolean;
}

/** A program on this machine that speaks over its standard input and output. Only operators can name one. */
export interface StdioTransport {
  readonly kind: "stdio";
  /** Absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** All of the environment it gets, beside PATH, HOME and the like. Values are taken as they are: nothing is expanded. */
  readonly env: Readonly<Record<string, Secret>>;
  /** Undefined: the operator has said that it runs without one. */
  readonly sandbox: SandboxRules | undefined;
}

/** What a program may see and take inside of its sandbox. */
export interface SandboxRules {
  /** Whether it may reach the network; then it reaches this machine's, too. */
  readonly network: boolean;
  /** Absolute paths it may read, beside the system's programs and libraries. */
  readonly read: readonly string[];
  /** Absolute paths it may write. */
  readonly write: readonly string[];
  readonly memoryMib: number;
  /** Processes and threads at once. */
  readonly processes: number;
}

/** A server elsewhere. */
export interface HttpTransport {
  /** "http": Streamable HTTP, or the older form with server-sent events where a server knows only that. */
  readonly kind: "http";
  readonly url: string;
  /** Sent with every request to this address, and to no other. */
  readonly headers: Readonly<Record<string, Secret>>;
  /** Each person logs in for themselves; without it everybody calls with the operator's headers. */
  readonly login?: LoginRules;
}

/** How people log in at a server (OAuth 2.1). */
export interface LoginRules {
  /** The only authorization server that may get anything of theirs. Undefined, for tests of the protocol alone: whichever the server names. */
  readonly issuer: string | undefined;
  /** What is asked for when the server does not say; none: nothing in particular. */
  readonly scopes: readonly string[];
  /** As the authorization server knows this program; without it the program registers itself. */
  readonly client?: { readonly id: string; readonly secret?: Secret };
}

/** How a server is reached, as one text: a change of it needs the admins' approval of its tools anew. Holds no secret. */
export const identityOf = ({ transport }: McpServer): string =>
  transport.kind === "http"
    ? [transport.url, ...(transport.login?.issuer ? [transport.login.issuer] : [])].join(" ")
    : JSON.stringify([transport.command, ...transport.args]);
