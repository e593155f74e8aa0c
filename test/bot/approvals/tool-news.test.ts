import { expect, test } from "@jest/globals";
import { ToolNews } from "../../../src/bot/approvals/tool-news.ts";
import { channelId, messageTs } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { person } from "../../fakes/people.ts";
import { acme } from "../../fakes/tool-context.ts";

test("admins read in their direct messages, in their language, which tools wait for them; names ping nobody", async () => {
  const posted: (readonly [string, string])[] = [];
  const news = new ToolNews({
    slackOf: async () => ({
      writer: {
        post: async (channel, _thread, body) => {
          posted.push([channel, body()?.text ?? ""]);
          return messageTs("1.0");
        },
      },
      directory: {
        directMessage: async (id) => channelId(`D_${id}`),
        admins: async () => [person("alice", { role: "admin" }), { ...person("owner", { role: "owner" }), locale: "de-DE" }],
      },
    }),
    log: silentLogger,
  });
  news.tell(
    acme,
    "Tracker <!channel>",
    Array.from({ length: 12 }, (_, at) => `tracker__t${at}`),
  );
  await news.drained();
  expect(posted.map(([channel]) => channel)).toEqual([`D_${person("alice").id}`, `D_${person("owner").id}`]);
  expect(posted[0]?.[1]).toMatch(/^\*Tracker &lt;!channel&gt;\* offers tools .*`tracker__t0`.* and 2 more\. /);
  expect(posted[1]?.[1]).toContain("und 2 weitere");
});
