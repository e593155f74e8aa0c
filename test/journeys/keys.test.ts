import { rm } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { FakeSlack } from "../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../playground/server/seed.ts";
import { openApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config.ts";
import { systemClock } from "../../src/core/clock.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { Secret } from "../../src/core/secret.ts";
import { makeTestDataFolder } from "../fakes/data-folder.ts";
import { placeDatabase } from "../fakes/migrated-template.ts";

test("a process whose keys are others than the stored tokens' refuses to start, until the workspace is added again", async () => {
  const home = await makeTestDataFolder("footnote-keys-");
  await placeDatabase(home);
  const slack = await FakeSlack.start({ seed: defaultSeed });
  const ring = (fill: number) => JSON.stringify({ active: "k", keys: { k: Buffer.alloc(32, fill).toString("base64") } });
  const open = (keys: string) => {
    const config = loadConfig({ FOOTNOTE_HOME: home, FOOTNOTE_SECRET_KEYS: keys });
    return openApp({ config, slackApiUrl: slack.apiUrl, clock: systemClock, log: silentLogger });
  };
  const botToken = slack.workspace("acme").botToken;
  const configured = { workspaces: [{ name: "acme", botToken: new Secret(botToken) }] };

  const first = await open(ring(1));
  await first.register(configured);
  await first.close();

  const other = await open(ring(2));
  await expect(other.register(configured)).rejects.toMatchObject({ code: "SECRET_UNREADABLE" });
  await other.operations.addWorkspace({ name: "acme", botToken });
  await other.register(configured);
  await other.close();

  const back = await open(ring(1));
  await expect(back.register(configured)).rejects.toMatchObject({ code: "SECRET_UNREADABLE" });
  await back.close();
  await slack.stop();
  await rm(home, { recursive: true, force: true });
});
