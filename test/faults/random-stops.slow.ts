import { expect, jest, test } from "@jest/globals";
import { stopAtRandom } from "./random-stops.ts";

jest.setTimeout(1_800_000);

test("100 answers that are stopped at random moments end once each, and nothing of them runs on", async () => {
  const { stopped, ...left } = await stopAtRandom(100, 2);
  expect(left).toEqual({ ended: 100, openStreams: 0, openTools: 0, furtherRequests: 0, deadButtons: 0 });
  expect(stopped).toBeGreaterThan(0);
});
