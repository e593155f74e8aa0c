import { formatPlace, type Layout, parsePlace, settlePlace } from "../../playground/ui/place.ts";

const workspace = (name: string): Layout => ({
  name,
  people: [
    { name: "alice", channels: ["C1", "C2"] },
    { name: "gina", channels: ["C3"] },
  ],
  channels: [
    { id: "C1", name: "general" },
    { id: "C2", name: "board" },
    { id: "C3", name: "guest-project" },
  ],
});
const both = [workspace("acme"), workspace("globex")];

test("an address leads back to the same place", () => {
  const place = { workspace: "globex", as: "alice", channel: "board", thread: "1.000100" };
  expect(settlePlace(parsePlace(formatPlace(place)), both)).toEqual(place);
});

test("without an address one starts in the first workspace as its first person", () =>
  expect(settlePlace({}, both)).toEqual({ workspace: "acme", as: "alice", channel: "general" }));

test("somebody who is not in a channel lands in one of their own, without the thread", () =>
  expect(settlePlace({ workspace: "acme", as: "gina", channel: "board", thread: "1.0" }, both)).toEqual({
    workspace: "acme",
    as: "gina",
    channel: "guest-project",
  }));

test("everybody has a direct message with the bot", () =>
  expect(settlePlace({ workspace: "acme", as: "gina", channel: "direct" }, both)?.channel).toBe("direct"));

test("a thread does not follow into another workspace", () =>
  expect(settlePlace({ workspace: "gone", as: "alice", channel: "general", thread: "1.0" }, both)).toEqual({
    workspace: "acme",
    as: "alice",
    channel: "general",
  }));

test("no workspaces, no place", () => expect(settlePlace({}, [])).toBeUndefined());
