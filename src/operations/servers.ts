/** What an operator does about external servers that a workspace has of its own. */
export interface ServerOperations {
  /** A workspace's own external servers. Secrets are never told. */
  ownServers(workspace: string): Promise<readonly OwnServerReport[]>;
  /** Adds and changes those that stand in a YAML file; SERVERS_INVALID with every mistake, SERVER_REFUSED. Those that do not stand there stay. */
  applyServers(request: ApplyServersRequest): Promise<readonly AppliedServerReport[]>;
  /** With its approvals and everybody's log-ins there; MCP_SERVER_UNKNOWN. */
  removeServer(request: { readonly workspace: string; readonly name: string }): Promise<void>;
}

export interface OwnServerReport {
  readonly name: string;
  readonly title: string;
  readonly url: string;
  readonly access: "open" | "header" | "login";
  /** What is to be mended, as a sentence; null when nothing is. */
  readonly problem: string | null;
  /** What `applyServers` takes, without its secret. */
  readonly yaml: string;
}

export interface ApplyServersRequest {
  readonly workspace: string;
  readonly yaml: string;
  /** Only says what it would change. */
  readonly check?: boolean;
}

export interface AppliedServerReport {
  readonly name: string;
  readonly status: "added" | "changed" | "unchanged";
  /** What is other than before: "- " gone, "+ " new. A secret is not shown, only that there is a new one. */
  readonly diff: readonly string[];
}
