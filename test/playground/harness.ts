import { FakeSlack, type FakeSlackOptions } from "../../playground/server/fake-slack.ts";
import { defaultSeed } from "../../playground/server/seed.ts";
import type { Json } from "../../playground/server/state.ts";

const stops: (() => unknown)[] = [];

/** Runs after the test, the last registered first. */
export function cleanUp(stop: () => unknown): void {
  stops.push(stop);
}

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Slack's delays, but for the time to acknowledge: a busy machine may need longer. With a clock of its own a test says when it is over. */
const patient = { retryDelaysMs: [60_000, 0, 60_000, 300_000] };

/** A fake Slack with the default seed that stops with the test. */
export async function startSlack(options: Partial<FakeSlackOptions> = {}): Promise<FakeSlack> {
  const slack = await FakeSlack.start({ seed: defaultSeed, ...(!options.clock && patient), ...options });
  cleanUp(() => slack.stop());
  return slack;
}

/** A caller of the Web API with one workspace's token, in JSON. */
export function apiOf(slack: FakeSlack, workspace: string) {
  const { botToken } = slack.workspace(workspace);
  return (method: string, args: Json = {}): Promise<Json> => callWith(slack, botToken, method, args);
}

export async function callWith(slack: FakeSlack, token: string | undefined, method: string, args: Json = {}): Promise<Json> {
  const response = await fetch(slack.apiUrl + method, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(args),
  });
  return (await response.json()) as Json;
}
