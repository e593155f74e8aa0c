import { Inbox } from "../../../src/bot/in/inbox.ts";
import { listeners } from "../../../src/bot/in/listeners/index.ts";
import type { Delivery } from "../../../src/bot/in/listeners/listener.ts";
import { refusal } from "../../../src/bot/in/listeners/policy.ts";
import type { IncomingMessage } from "../../../src/bot/turns/turn-store.ts";
import type { Installation } from "../../../src/bot/workspace/installations.ts";
import { newId, personId, tenantId } from "../../../src/core/ids.ts";
import { silentLogger } from "../../../src/core/logger.ts";
import { Secret } from "../../../src/core/secret.ts";
import { NotingContext } from "../../fakes/listener-context.ts";

const installation: Installation = {
  tenant: tenantId(newId()),
  teamId: "T1",
  botUserId: personId("UBOT"),
  token: new Secret("xoxb"),
};

/** Lets an event go through every listener as the app does; gives back the messages that reached the inbox. */
export async function messagesReaching(event: Record<string, unknown>): Promise<readonly IncomingMessage[]> {
  const stored: IncomingMessage[] = [];
  const inbox = new Inbox({
    turnsOf: () => ({
      accept: async (message) => {
        stored.push(message);
        return "queued";
      },
      retry: async () => "not-offered",
    }),
    nudge: () => undefined,
    refuse: async () => undefined,
    log: silentLogger,
  });
  for (const { on, policy, handle } of listeners) {
    if (!("event" in on) || on.event !== event.type) continue;
    const delivery: Delivery = { installation, payload: event, body: { type: "event_callback", event_id: "Ev1", event } };
    if (!refusal(policy, delivery)) await handle(delivery, inbox, new NotingContext());
  }
  return stored;
}
