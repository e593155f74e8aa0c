import { describe, expect, test } from "@jest/globals";
import { AppError } from "../../../../src/core/errors.ts";
import { channelId, messageTs } from "../../../../src/core/ids.ts";
import { everyone } from "../../../../src/core/principal.ts";
import { effectOf } from "../../../../src/permissions/approval.ts";
import type { AskedInSlack, FoundMessage } from "../../../../src/plugins/slack-messages.ts";
import { searchSlack } from "../../../../src/plugins/slack-search/tools/search-slack.ts";
import { contextFor } from "../../../fakes/tool-context.ts";

const asked = { channel: channelId("C1"), message: messageTs("1.1") };
const ferry: FoundMessage = {
  ...{ text: "The ferry leaves at 18:40.", channel: "general", author: "Bob", at: new Date("2026-11-30T10:00:00Z") },
  url: "https://acme.slack.com/archives/C2/p1",
};

async function run(grants: Parameters<typeof contextFor>[0], more: Parameters<typeof contextFor>[1] = { asked }, thrown?: Error) {
  const questions: AskedInSlack[] = [];
  const tool = searchSlack({
    search: async (at) => {
      questions.push(at);
      if (thrown) throw thrown;
      return [ferry];
    },
  });
  return { tool, questions, result: await tool.execute({ query: "ferry" }, contextFor(grants, more)) };
}

describe("search_slack", () => {
  test("gives messages as sources with who wrote them where and when, whose text is not kept", async () => {
    const { result, questions } = await run([everyone]);
    expect(questions).toMatchObject([{ ...asked, person: "U_BOB" }]);
    expect(result).toMatchObject({ status: "success", metadata: { count: 1, public: true } });
    expect(result.metadata.sources).toEqual([
      {
        ...{ id: ferry.url, title: "Bob in #general", url: ferry.url, passage: "The ferry leaves at 18:40." },
        ...{ timestamp: "2026-11-30T10:00:00.000Z", relevance: 1, transient: true },
      },
    ]);
  });

  test("is not asked where a guest or somebody of another organisation reads along", async () => {
    const { result, questions } = await run(["channel:C1", "person:U_BOB"]);
    expect([result.status, result.error?.code, questions]).toEqual(["denied", "NOT_BEFORE_OTHERS", []]);
  });

  test("is there for questions in Slack alone, and says so when Slack gives no leave", async () => {
    expect((await run([everyone], {})).result.error?.code).toBe("SLACK_SEARCH_UNAVAILABLE");
    const thrown = new AppError("SLACK_SEARCH_UNAVAILABLE", "The app may not search.");
    expect((await run([everyone], { asked }, thrown)).result).toMatchObject({
      status: "error",
      content: "Slack cannot be searched here. The app may not search.",
    });
  });

  test("needs the operator's word, and never a click: the words stay within Slack", async () => {
    const { tool } = await run([everyone]);
    expect([tool.featureFlag, effectOf(tool), tool.freshMs]).toEqual(["slack-search", "read-inside", undefined]);
  });
});
