import { describe, expect, test } from "@jest/globals";
import { terms } from "../../src/knowledge/full-text/terms.ts";

describe("the words of full text search", () => {
  test.each([
    ["number and ending", "Employees travelling", "employee travels"],
    ["accents and case", "CAFÉ Zoë", "cafe zoe"],
    ["possessives", "the company’s policies", "company policy"],
    ["full-width letters", "ＡＢＣ", "abc"],
    ["sharp s", "Straße", "strasse"],
  ])("%s make no difference", (_what, one, other) => expect(terms(one)).toEqual(terms(other)));

  test("question words and other stop words are left out", () =>
    expect(terms("What is our parental leave?")).toEqual(terms("parental leave")));
  test("names of settings are found whole and by their parts", () =>
    expect(terms("SLACK_BOT_TOKEN")).toEqual(["slack_bot_token", "slack", "bot", "token"]));
  test("numbers keep their points", () =>
    expect(terms("version 3.5, 1,500 pounds; A-113")).toEqual(["version", "3.5", "1,500", "pound", "113"]));
  test("Chinese, Japanese and Thai are cut into words", () => {
    expect(terms("员工每年享有带薪年假")).toEqual(expect.arrayContaining(["员工"]));
    expect(terms("员工每年享有带薪年假").length).toBeGreaterThan(2);
    expect(terms("契約期間は2年です").length).toBeGreaterThan(2);
    expect(terms("พนักงานลาพักร้อน").length).toBeGreaterThan(1);
  });
  test("endless strings are cut", () => expect(terms("x".repeat(10_000))).toEqual(["x".repeat(64)]));
});
