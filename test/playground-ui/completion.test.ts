import { complete, completionsAt } from "../../playground/ui/completion.ts";

const workspace = {
  people: [{ id: "U1", name: "alice", displayName: "Alice Ames", role: "admin", channels: [] }],
  channels: [{ id: "C1", name: "general", private: false, topic: "News", members: [] }],
};
const offered = (text: string) => completionsAt(text, text.length, workspace).map(({ insert }) => insert);

test("an @ offers the bot first, then people", () => expect(offered("hello @")).toEqual(["@footnote", "@alice"]));
test("what is typed narrows it down", () => expect(offered("@al")).toEqual(["@alice"]));
test("a # offers channels", () => expect(offered("#")).toEqual(["#general"]));
test("a mail address offers nothing", () => expect(offered("me@al")).toEqual([]));
test("a name that is written out offers nothing, so that Enter sends", () => expect(offered("@footnote")).toEqual([]));
test("the choice replaces the word at the caret and leaves the rest", () =>
  expect(complete("hi @fo there", 6, { insert: "@footnote", hint: "" })).toBe("hi @footnote there"));
