import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { readTemplate } from "../../../src/agent/templates/read-template.ts";

test("the template in the documentation is one", () => {
  const page = readFileSync(new URL("../../../docs/assistants.md", import.meta.url), "utf8");
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const template = readTemplate(yaml, { tools: ["query_documents", "list_documents"], models: ["small-model"] });
  expect(template).toMatchObject({ name: "support", model: "small-model", otherTools: "off", reply: "thread" });
  expect(template.tools).toEqual({ query_documents: "on", list_documents: "locked" });
});
