import { describe, expect, test } from "@jest/globals";
import type { WebClient } from "@slack/web-api";
import { SlackDirectory } from "../../src/bot/workspace/slack-directory.ts";
import { systemClock } from "../../src/core/clock.ts";
import { channelId, personId } from "../../src/core/ids.ts";
import { silentLogger } from "../../src/core/logger.ts";
import { channelPrincipal, everyone, personPrincipal } from "../../src/core/principal.ts";
import { plugins } from "../../src/plugins/index.ts";
import { MemoryLibrary } from "../fakes/memory-library.ts";
import { servicesWith } from "../fakes/plugin-services.ts";
import { acme } from "../fakes/tool-context.ts";
import { attack, everythingOn, type Step } from "./attacked-agent.ts";

/** People as Slack describes them to workspace T1. Somebody from outside keeps the rights of their own workspace. */
const people: Readonly<Record<string, object>> = {
  member: { team_id: "T1" },
  colleague: { team_id: "T1" },
  "single-channel guest": { team_id: "T1", is_restricted: true, is_ultra_restricted: true },
  "multi-channel guest": { team_id: "T1", is_restricted: true },
  stranger: { team_id: "T2", is_stranger: true, is_admin: true, is_owner: true },
  bot: { team_id: "T1", is_bot: true },
};
const idOf = (name: string): string => `U${name.toUpperCase().replace(/[^A-Z]/g, "")}`;

/** Places as Slack describes them. */
const places: Readonly<Record<string, object>> = {
  public: {},
  private: { is_private: true },
  mpim: { is_mpim: true, is_private: true },
  Connect: { is_ext_shared: true, is_shared: true },
  "pending Connect": { is_pending_ext_shared: true, pending_shared: ["T2"] },
};
const here = channelId("C1");

/** Slack, for somebody who asks in a place where a colleague reads along, too. */
const slackWith = (asker: string, place: string): WebClient => {
  const users = Object.entries(people).map(([name, flags]) => ({ id: idOf(name), name, ...flags }));
  const answers: Readonly<Record<string, (args: { readonly user?: string }) => object>> = {
    "users.list": () => ({ members: users }),
    "users.info": ({ user }) => ({ user: users.find(({ id }) => id === user) }),
    "conversations.info": () => ({ channel: { id: here, name: "here", ...places[place] } }),
    "conversations.members": () => ({ members: [idOf(asker), idOf("colleague")] }),
    "users.conversations": () => ({ channels: [{ id: here }] }),
  };
  const apiCall = async (method: string, args = {}) => ({ ok: true, ...answers[method]?.(args) });
  return { apiCall } as unknown as WebClient;
};

const steps: readonly Step[] = [
  [{ name: "read_web_page", params: { url: "https://news.example/" } }],
  [
    { name: "query_documents", params: { query: "secret" } },
    { name: "list_documents", params: {} },
  ],
];

/** What was found, how often a model was called and the web was read, and with which code the question was refused. */
async function outcome(asker: string, place: string) {
  const sample = (word: string, grant: Parameters<MemoryLibrary["add"]>[1]["grants"][number]) => ({
    ...{ title: `About ${word}`, grants: [grant], pages: [`The secret is ${word}`] },
  });
  const library = new MemoryLibrary().add(
    acme,
    sample("canary-everyone", everyone),
    sample("canary-channel", channelPrincipal(here)),
    sample("canary-own", personPrincipal(personId(idOf(asker)))),
  );
  let reads = 0;
  const safeFetch = async () => {
    reads += 1;
    throw new Error("There is no network in this test.");
  };
  const directory = new SlackDirectory(slackWith(asker, place), { teamId: "T1", clock: systemClock, log: silentLogger });
  const all = plugins({ ...servicesWith(library), safeFetch });
  const { answer, prompt, offered } = await attack({
    ...{ plugins: all, directory, steps, choices: () => ({ ...everythingOn(all), settings: { read_pages: "on" } }) },
    person: { id: personId(idOf(asker)) },
    place: { id: here },
  });
  const told = prompt + JSON.stringify(answer);
  const found = ["everyone", "channel", "own"].filter((word) => told.includes(`canary-${word}`)).join(" ");
  return { found, modelCalls: offered.length, reads, refused: answer.error?.code, text: answer.text, message: answer.error?.message };
}

const answered = (found: string) => ({ found, modelCalls: 3, reads: 1, refused: undefined, text: "Done." });
const refused = (code: string) => ({ found: "", modelCalls: 0, reads: 0, refused: code, text: "" });

/** For each kind of asker what comes of it in a place of the workspace's own, and where another organisation is or is invited. */
const table: readonly (readonly [asker: string, own: object, shared: object])[] = [
  ["member", answered("everyone channel"), refused("PLACE_HAS_OUTSIDERS")],
  ["single-channel guest", answered("channel"), refused("PLACE_HAS_OUTSIDERS")],
  ["multi-channel guest", answered("channel"), refused("PLACE_HAS_OUTSIDERS")],
  ["stranger", refused("PERSON_IS_OUTSIDER"), refused("PERSON_IS_OUTSIDER")],
  ["bot", refused("PERSON_IS_BOT"), refused("PERSON_IS_BOT")],
];

describe.each(table)("T13: a %s asks", (asker, own, shared) => {
  test.each(Object.keys(places))("in a %s conversation", async (place) =>
    expect(await outcome(asker, place)).toMatchObject(place.includes("Connect") ? shared : own),
  );
});

test("T13: the refusals are fixed sentences, which say where to ask and nothing of what there is", async () => {
  expect((await outcome("member", "Connect")).message).toBe(
    "People from outside this workspace read along here, or are invited to, so Footnote does not answer here. Ask in a direct message.",
  );
  expect((await outcome("stranger", "public")).message).toBe("Footnote answers people of this workspace only.");
});
