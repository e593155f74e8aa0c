import type { ApprovedTool, ExternalTools, OfferedTool } from "../../src/plugins/external-tools.ts";

/** Every tool that is offered is approved at once, in the form in which it is first seen. */
export class TrustingTools implements ExternalTools {
  readonly approvals = new Map<string, ApprovedTool>();
  readonly lists: (readonly OfferedTool[])[] = [];
  readonly waiting: string[] = [];

  async offered(server: string, tools: readonly OfferedTool[]): Promise<readonly string[]> {
    this.lists.push(tools);
    for (const tool of tools) {
      const known = this.approvals.get(tool.name);
      if (!known) this.approvals.set(tool.name, { ...tool, server });
      else if (known.fingerprint !== tool.fingerprint) this.waiting.push(tool.name);
    }
    return this.waiting;
  }

  approved = async () => [...this.approvals.values()];
}
