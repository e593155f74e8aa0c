import type { ServerDesk, WorkspaceServers } from "../workspace-servers.ts";
import type { McpServer } from "./server.ts";
import { clash } from "./workspace-server.ts";

export interface ServerDeskParts {
  readonly stored: WorkspaceServers;
  /** How many a workspace may have. */
  readonly most: number;
  readonly origins: readonly string[];
  /** What the operator's list gives this workspace. */
  operators(): Promise<readonly McpServer[]>;
  /** Told after one was stored or removed. */
  changed(name: string): void;
}

/** One workspace's own servers, for whoever may decide about them: the one way there is, whether it was typed, clicked or read from a file. */
export const createServerDesk = ({ stored, most, origins, operators, changed }: ServerDeskParts): ServerDesk => ({
  origins,
  list: async () => {
    const others = await operators();
    return (await stored.list()).map((server) => ({ ...server, shadowed: others.some(({ name }) => clash(name, server.name)) }));
  },
  save: async (entry, by) => {
    const sameTitle = (title: string) => title.toLowerCase() === entry.title.toLowerCase();
    if ((await operators()).some(({ name, title }) => clash(name, entry.name) || sameTitle(title))) return "name-taken";
    const outcome = await stored.save(entry, by, most);
    if (outcome === "added" || outcome === "changed") changed(entry.name);
    return outcome;
  },
  remove: async (name, by) => {
    const outcome = await stored.remove(name, by);
    if (outcome === "removed") changed(name);
    return outcome;
  },
});
