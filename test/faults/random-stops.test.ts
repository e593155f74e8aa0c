import { expect, test } from "@jest/globals";
import { stopAtRandom } from "./random-stops.ts";

test("20 answers that are stopped at random moments end once each, and nothing of them runs on", async () => {
  const { stopped, ...left } = await stopAtRandom(20, 1);
  expect(left).toEqual({ ended: 20, openStreams: 0, openTools: 0, furtherRequests: 0, deadButtons: 0 });
  expect(stopped).toBeGreaterThan(0);
});
