import { expect, test } from "@jest/globals";
import { AssistantOperator } from "../../src/api/operator/assistant-operator.ts";
import { tenantId } from "../../src/core/ids.ts";

const [acme, globex] = [tenantId("acme"), tenantId("globex")];
const stored: string[] = [];
const operator = new AssistantOperator({
  settings: (tenant) => ({
    templates: {
      list: async () => [],
      find: async () => undefined,
      apply: async ({ tools }) => {
        stored.push(...Object.keys(tools));
        return { version: 1, status: "added" };
      },
    },
    commands: { useTemplate: async () => "unknown" },
    choices: { flag: async () => [], flags: async () => [] },
    // One that no admin has approved yet can be named, too: for instance to keep it out.
    externalTools: { list: async () => (tenant === acme ? [{ name: "tracker__create_issue" }] : []) },
  }),
  tools: [{ name: "query_documents" }],
  models: [],
  templateChanged: () => undefined,
});
const yaml = "name: desk\ntitle: Desk\ntools:\n  query_documents: on\n  tracker__create_issue: locked\n";

test("a template may name the tools of the workspace's external servers", async () => {
  expect(await operator.apply(acme, yaml, true)).toMatchObject({ name: "desk", status: "added" });
  await operator.apply(acme, yaml);
  expect(stored).toEqual(["query_documents", "tracker__create_issue"]);
});

test("not those of another workspace's: the mistake names it", async () => {
  await expect(operator.apply(globex, yaml)).rejects.toThrow(/tracker__create_issue/);
});
