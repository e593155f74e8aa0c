import { type DeliverBy, FakeSlack } from "./fake-slack.ts";
import { defaultSeed } from "./seed.ts";

/** A playground may run for weeks; what nobody looks at is forgotten. */
const keep = 200;

/**
 * The playground: the fake Slack with two companies and its page, for a start without a Slack workspace. The program then
 * connects to `apiUrl` with `appToken` and each workspace's bot token, as it would to Slack.
 * @param uiDir folder of the built page
 */
export function startPlayground({ port = 0, uiDir, deliver }: { port?: number; uiDir: string; deliver?: DeliverBy }): Promise<FakeSlack> {
  return FakeSlack.start({ seed: defaultSeed, port, uiDir, keep, ...(deliver && { deliver }) });
}
