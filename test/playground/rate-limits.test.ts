import type { FakeSlack } from "../../playground/server/fake-slack.ts";
import { startSlack } from "./harness.ts";
import { ManualClock } from "./manual-clock.ts";

async function post(slack: FakeSlack, method: string, args: Record<string, string>, workspace = "acme") {
  const headers = { authorization: `Bearer ${slack.workspace(workspace).botToken}` };
  const response = await fetch(slack.apiUrl + method, { method: "POST", headers, body: new URLSearchParams(args) });
  return { status: response.status, retryAfter: response.headers.get("retry-after") };
}

describe("documented rate limits", () => {
  it("let a short burst into a channel, then one message a second, and say how long to wait", async () => {
    const clock = new ManualClock();
    const slack = await startSlack({ limits: "documented", clock });
    const { channel } = slack.workspace("acme");
    const say = (name: string) => post(slack, "chat.postMessage", { channel: channel(name), text: "x" });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await say("general")).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await say("general")).toEqual({ status: 429, retryAfter: "1" });
    expect((await say("people-ops")).status).toBe(200);
    clock.advance(1_000);
    expect([(await say("general")).status, (await say("general")).status]).toEqual([200, 429]);
    expect(slack.messages({ workspace: "acme", channel: "general" })).toHaveLength(4);
  });

  it("count edits by the minute, each workspace for itself", async () => {
    const clock = new ManualClock();
    const slack = await startSlack({ limits: "documented", clock });
    const args = { channel: "C0", ts: "1.000001", text: "x" };
    for (let i = 0; i < 50; i++) expect((await post(slack, "chat.update", args)).status).toBe(200);
    expect(await post(slack, "chat.update", args)).toEqual({ status: 429, retryAfter: "2" });
    expect((await post(slack, "chat.update", args, "globex")).status).toBe(200);
    clock.advance(60_000);
    expect((await post(slack, "chat.update", args)).status).toBe(200);
  });

  it("are off unless asked for", async () => {
    const slack = await startSlack({ clock: new ManualClock() });
    const args = { channel: slack.workspace("acme").channel("general"), text: "x" };
    for (let i = 0; i < 20; i++) expect((await post(slack, "chat.postMessage", args)).status).toBe(200);
  });
});
