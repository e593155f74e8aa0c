import { expect, test } from "@jest/globals";
import { toolContract } from "../../../contracts/tool.contract.ts";
import { contextFor } from "../../../fakes/tool-context.ts";
import { tellTime } from "./tell-time.ts";

const clock = { now: () => new Date("2026-03-01T12:00:00Z"), monotonic: () => 0, sleep: async () => undefined };

toolContract("tell_time", () => ({
  tool: tellTime,
  good: { zone: "Europe/Lisbon" },
  bad: [{}, { zone: "" }, { zone: 1 }],
  context: (signal) => contextFor([], { signal, clock }),
}));

test("a zone that does not exist is said, not thrown", async () => {
  expect((await tellTime.execute({ zone: "Asia/Tokyo" }, contextFor([], { clock }))).content).toBe("It is 21:00 in Asia/Tokyo.");
  expect((await tellTime.execute({ zone: "Mars/Base" }, contextFor([], { clock }))).status).toBe("error");
});
