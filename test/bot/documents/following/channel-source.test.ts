import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { FakeSlack } from "../../../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../../../playground/server/seed.ts";
import { channelSource } from "../../../../src/bot/documents/following/channel-source.ts";
import { SlackFiles } from "../../../../src/bot/documents/slack-file.ts";
import { slackClient } from "../../../../src/bot/workspace/slack-clients.ts";
import { SlackReader } from "../../../../src/bot/workspace/slack-reader.ts";
import { systemClock } from "../../../../src/core/clock.ts";
import { type ChannelId, channelId, type TenantId } from "../../../../src/core/ids.ts";
import { silentLogger } from "../../../../src/core/logger.ts";
import { channelPrincipal } from "../../../../src/core/principal.ts";
import { Secret } from "../../../../src/core/secret.ts";
import type { StoredSource } from "../../../../src/knowledge/sources/source-store.ts";
import { removeSource } from "../../../../src/knowledge/sources/sync-source.ts";
import { createSafeFetch } from "../../../../src/safe-fetch/safe-fetch.ts";
import { openSources, type SourceFixture } from "../../../knowledge/sources/source-fixture.ts";

jest.setTimeout(120_000);

let slack: FakeSlack;
let db: SourceFixture;
let tenant: TenantId;
let [hall, board, ops]: ChannelId[] = [];
/** Files of the workspace as the bot sees them; every other one of the fake Slack's limits is left alone. */
let files: SlackFiles;

beforeAll(async () => {
  slack = await FakeSlack.start({ seed: defaultSeed });
  const acme = slack.workspace("acme");
  [hall, board, ops] = ["general", "board", "people-ops"].map((name) => channelId(acme.channel(name)));
  const token = new Secret(acme.botToken);
  const client = slackClient(token, silentLogger, slack.apiUrl);
  const fetch = createSafeFetch({ clock: systemClock, internalOrigins: [new URL(slack.apiUrl).origin] });
  db = await openSources("embedded", (_tenant, source) => channelSource(channelId(source.address), async () => files));
  tenant = await db.test.addTenant();
  files = new SlackFiles({ tenant, slack: new SlackReader(client, systemClock), token, fetch, apiUrl: slack.apiUrl });
});
afterAll(async () => {
  await db?.test.close();
  await slack?.stop();
});

const text = (content: string) => new TextEncoder().encode(content);
const drop = (channel: string, name: string, content = `# ${name}\n\nWhat ${name} says.`, said: object = {}) =>
  slack.post({ workspace: "acme", as: "alice", channel, text: "", files: [{ name, bytes: text(content), said: { ...said } }] });
const follow = (channel: ChannelId | undefined) =>
  db.addSource(tenant, [channelPrincipal(channel ?? channelId("C0"))], undefined, { kind: "slack", address: channel ?? "" });
const seenBy = (...channels: readonly (ChannelId | undefined)[]) =>
  db.titles(
    tenant,
    channels.flatMap((channel) => (channel ? [channelPrincipal(channel)] : [])),
  );
const rows = async (table: string) => (await db.test.asOwner<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n;
const named = (name: string) => ({ workspace: "acme", file: slack.people.files.named("acme", name) });

describe("a channel's files", () => {
  let source: StoredSource;
  beforeAll(async () => {
    source = await follow(hall);
  });

  test("are read for whoever reads the channel; pictures are left out, and what Slack keeps to itself is told with its name", async () => {
    drop("general", "leave.md");
    drop("general", "cat.png");
    drop("general", "budget", "", { is_external: true, mode: "external", external_type: "gdrive", url_private: "https://evil.example/x" });
    drop("general", "old.md", "x", { mode: "hidden_by_limit", url_private: undefined, url_private_download: undefined });
    drop("general", "gone.md", "x", { mode: "tombstone" });
    drop("general", "nowhere.md", "x", { url_private: undefined, url_private_download: undefined });
    drop("general", "plan", "x", { mode: "canvas", filetype: "canvas" });
    drop("general", "elsewhere.md", "# Elsewhere\n\nOf another organisation.", { file_access: "check_file_info" });
    expect(await db.sync(tenant, source)).toMatchObject({ status: "partial", added: 2, failed: 4 });
    expect(await seenBy(hall)).toEqual(["Elsewhere", "leave.md"]);
    expect(await seenBy(board, ops)).toEqual([]);
    const failures = (await db.rowsOf(tenant).items(source.id)).flatMap(({ failure }) => failure ?? []);
    expect(failures.sort()).toEqual([
      expect.stringMatching(/^budget: .*does not keep this file itself/),
      expect.stringMatching(/^nowhere\.md: .*no address/),
      expect.stringMatching(/^old\.md: .*limit of its plan/),
      expect.stringMatching(/^plan: .*canvas/),
    ]);
  });

  test("what did not change is not fetched again; what did is read anew, and what is deleted goes, however much of it", async () => {
    for (let count = 0; count < 6; count++) drop("general", `n${count}.md`);
    await db.sync(tenant, source);
    expect(await db.sync(tenant, source)).toMatchObject({ added: 0, changed: 0, unchanged: 8 });
    slack.people.files.change({ ...named("leave.md"), bytes: text("# Leave\n\nSixteen weeks.") });
    for (let count = 0; count < 6; count++) slack.people.files.delete(named(`n${count}.md`));
    expect(await db.sync(tenant, source)).toMatchObject({ changed: 1, removed: 6 });
    expect(await seenBy(hall)).toEqual(["Elsewhere", "Leave"]);
  });

  test("that Slack cannot list change nothing", async () => {
    slack.fail({ method: "files.list", error: "internal_error" });
    expect(await db.sync(tenant, source)).toMatchObject({ status: "failed" });
    expect(await seenBy(hall)).toEqual(["Elsewhere", "Leave"]);
  });

  test("follow the channel when it becomes private and public again, and when it is archived", async () => {
    slack.administration.setPrivate({ workspace: "acme", channel: "general", isPrivate: true });
    expect(await db.sync(tenant, source)).toMatchObject({ removed: 0, unchanged: 2 });
    slack.administration.setPrivate({ workspace: "acme", channel: "general", isPrivate: false });
    slack.administration.archive({ workspace: "acme", channel: "general", as: "alice" });
    expect(await db.sync(tenant, source)).toMatchObject({ removed: 0, unchanged: 2 });
    expect(await seenBy(hall)).toEqual(["Elsewhere", "Leave"]);
  });
});

describe("a file that several channels share", () => {
  let [inBoard, inOps]: StoredSource[] = [];
  beforeAll(async () => {
    drop("board", "deal.md", "# Deal\n\nThe word is marigold.");
    slack.people.files.share({ workspace: "acme", as: "alice", channel: "people-ops", file: named("deal.md").file });
    [inBoard, inOps] = [await follow(board), await follow(ops)];
  });
  const sync = (source: StoredSource | undefined) => db.sync(tenant, source as StoredSource);

  test("is one document for the readers of each, and is taken from those alone whose channel it leaves", async () => {
    expect([await sync(inBoard), await sync(inOps)]).toMatchObject([{ added: 1 }, { added: 1 }]);
    expect([await seenBy(board), await seenBy(ops), await seenBy(board, ops)]).toEqual([["Deal"], ["Deal"], ["Deal"]]);
    slack.people.files.share({ workspace: "acme", as: "alice", channel: "board", file: named("deal.md").file, out: true });
    expect(await sync(inBoard)).toMatchObject({ removed: 1 });
    expect([await seenBy(board), await seenBy(ops)]).toEqual([[], ["Deal"]]);
  });

  test("that somebody has added for others stays for these, and not for the channel's readers, when its source ends", async () => {
    const file = { name: "deal.md", bytes: text("# Deal\n\nThe word is marigold."), sourceUri: `slack:${named("deal.md").file}` };
    const own = { tenant, grants: [channelPrincipal(hall ?? channelId(""))], holder: "person:U1", signal: new AbortController().signal };
    expect(await db.ingestion.ingest({ files: [file] }, own)).toMatchObject([{ status: "added" }]);
    await removeSource({ rows: db.rowsOf(tenant), ingestion: db.ingestion }, tenant, inOps as StoredSource);
    expect([await seenBy(ops), (await seenBy(hall)).includes("Deal")]).toEqual([[], true]);
  });
});

describe("when the bot is taken out of the channel", () => {
  test("nothing of its files is kept: no passage, no word, no vector; invited again, it reads them again", async () => {
    const other = await db.test.addTenant();
    const mine = () => db.titles(other, [channelPrincipal(board ?? channelId(""))]);
    const held = ["documents", "passages", "postings", "embeddings", "document_grants", "document_holders", "source_items"];
    const counts = () => Promise.all(held.map((table) => rows(`${table} WHERE tenant_id = '${other}'`)));
    const source = await db.addSource(other, [channelPrincipal(board ?? channelId(""))], undefined, {
      kind: "slack",
      address: board ?? "",
    });
    for (let count = 0; count < 6; count++) drop("board", `b${count}.md`);
    expect(await db.sync(other, source)).toMatchObject({ added: 6 });
    slack.people.join({ workspace: "acme", channel: "board", as: "footnote", leave: true });
    expect(await db.sync(other, source)).toMatchObject({ removed: 6, notes: [expect.stringContaining("Footnote is not in this channel")] });
    expect(await counts()).toEqual(held.map(() => 0));
    slack.people.join({ workspace: "acme", channel: "board", as: "footnote" });
    await db.sync(other, source);
    expect(await mine()).toHaveLength(6);
  });
});
