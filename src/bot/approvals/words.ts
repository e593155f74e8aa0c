import type { PersonId } from "../../core/ids.ts";
import type { ToolEffect } from "../../plugins/contract.ts";
import type { CallState, Decided } from "./approval-store.ts";

const effects: Readonly<Record<ToolEffect, string>> = {
  "read-inside": "It reads the team's documents.",
  "read-outside": "It sends these words to a service outside.",
  "side-effect": "It changes something.",
  destructive: "It changes what cannot be brought back.",
  unknown: "Nobody has said what it may change.",
};

/** What the bot says when a call waits for a click. Names come in as mrkdwn that is already inert. */
export const words = {
  asks: (asker: PersonId, title: string, effect: ToolEffect) => `<@${asker}>, may I make this call? *${title}*. ${effects[effect]}`,
  details: (tool: string, server: string | undefined, length: number) =>
    `${server === undefined ? `Tool ${tool}` : `Tool ${tool} of ${server}`}, with exactly these arguments (${length} characters):`,
  onlyAsker: (asker: PersonId) => `Only <@${asker}> can decide this, within ten minutes. Without a click nothing happens.`,
  elsewhere: (asker: PersonId) => `I have asked <@${asker}> in a direct message whether I may make a call.`,
  once: "Allow once",
  thread: "Allow for this thread",
  deny: "Don't allow",
  decided: (state: Exclude<CallState, "waiting">, asker: PersonId, title: string) =>
    ({
      allowed: `<@${asker}> allowed a call: ${title}.`,
      running: `<@${asker}> allowed a call: ${title}.`,
      done: `<@${asker}> allowed a call: ${title}.`,
      denied: `<@${asker}> did not allow a call: ${title}.`,
      expired: `Nobody decided in time, so a call was not made: ${title}.`,
    })[state],
  /** What admins read about tools of external servers. */
  external: {
    adminsOnly: "Only a workspace admin can decide about tools of external servers.",
    none: "No external server has offered a tool yet.",
    unknown: (name: string) => `No external server offers a tool *${name}*. \`/footnote mcp\` lists all.`,
    usage:
      "`/footnote mcp show &lt;tool&gt;` shows a definition, or what has changed. `/footnote mcp approve &lt;tool&gt;@&lt;fingerprint&gt; &lt;effect&gt;` approves exactly that form; effects: read-inside, read-outside, side-effect, destructive. `/footnote mcp revoke &lt;tool&gt;` takes it back.",
    status: { new: "waits for approval", approved: "approved", changed: "changed since it was approved", gone: "no longer offered" },
    approved: (name: string) => `*${name}* is approved in this form.`,
    otherForm: (name: string) =>
      `*${name}* is not approved: name it as \`/footnote mcp show\` prints it, with the fingerprint of the form that you have looked at.`,
    revoked: (name: string) => `*${name}* is no longer approved.`,
    wasNot: (name: string) => `*${name}* was not approved.`,
  },
  /** Told to whoever clicked, where the card does not say it. */
  clicked: {
    "not-yours": "Only the person who asked can decide this.",
    expired: "This has expired: the call was not made. Ask again if you still want it.",
    "decided-before": "This was decided before.",
    unknown: "This card is not valid any more.",
  } satisfies Partial<Record<Decided, string>>,
};
