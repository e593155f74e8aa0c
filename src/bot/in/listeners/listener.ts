import type { Installation } from "../../workspace/installations.ts";
import type { Inbox } from "../inbox.ts";

/** One delivery that has been routed to a tenant. `payload` is Slack's event or action, `body` all around it: both unchecked. */
export interface Delivery {
  readonly installation: Installation;
  readonly payload: unknown;
  readonly body: unknown;
}

/**
 * What a listener's author must be; checked before `handle` runs and by a test that goes through all listeners.
 * "person-message": the first sending of a person's own words. "person-click": a click by a human; rights are checked where it acts.
 */
export type Policy = "person-message" | "person-click";

/** What the bot listens to: one event or one button. `handle` only stores; it must be done before Slack gets its acknowledgement. */
export interface Listener {
  readonly on: { readonly event: "app_mention" | "message" } | { readonly action: string };
  readonly policy: Policy;
  handle(delivery: Delivery, inbox: Inbox): Promise<void>;
}
