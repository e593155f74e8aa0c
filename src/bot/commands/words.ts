import type { ToggleScope } from "../../permissions/toggles.ts";

/** Where a switch counts, as the end of a sentence. */
const where: Readonly<Record<ToggleScope, string>> = {
  admin: "in this workspace",
  channel: "in this channel",
  thread: "in this thread",
  person: "for you",
};

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
const are = (names: readonly string[]): string => (names.length === 1 ? "is" : "are");
const were = (names: readonly string[]): string => (names.length === 1 ? "was" : "were");

/** Every word that commands are answered with. Names come in as mrkdwn that is already inert. */
export const words = {
  unknownPerson: "Slack could not tell me just now who you are, so nothing was changed. Please try again in a minute.",
  outsider: "Footnote takes commands from people of this workspace only.",
  failed: "Something went wrong on our side and nothing was changed. Please try again.",
  noThread: "This is not a thread. Write `!tools` in the thread that you mean.",
  toolsHere: (scope: "channel" | "thread" | "direct") =>
    ({ channel: "Tools in this channel, for you", thread: "Tools in this thread, for you", direct: "Tools in this conversation" })[scope],
  noTools: "No tool is installed.",
  assistant: (title: string) => `This channel's assistant: *${title}*`,
  usage: (prefix: string, inThread: boolean) =>
    `\`${prefix} off &lt;tool&gt;\` switches a tool off ${inThread ? "in this thread" : "for you"}, \`${prefix} on &lt;tool&gt;\` on again. Add \`for me\`, or \`in this channel\` (admins). Admins: \`${prefix} lock &lt;tool&gt;\`, \`unlock\`.`,
  unknownTool: (name: string, suggestion?: string) => `I know no tool *${name}*.${suggestion ? ` Did you mean \`${suggestion}\`?` : ""}`,
  nothingChanged: (prefix: string) => `Nothing was changed. \`${prefix}\` lists all tools.`,
  switched: (verb: "on" | "off" | "lock" | "unlock", names: readonly string[], scope: ToggleScope) =>
    ({
      off: `${listed(names)} ${are(names)} now off ${where[scope]}.`,
      on: `${listed(names)} ${are(names)} no longer off ${where[scope]}.`,
      lock: `${listed(names)} ${are(names)} now locked: off for everybody in this workspace.`,
      unlock: `${listed(names)} ${are(names)} no longer locked.`,
    })[verb],
  already: (verb: "on" | "off" | "lock" | "unlock", names: readonly string[], scope: ToggleScope) =>
    ({
      off: `${listed(names)} ${were(names)} already off ${where[scope]}.`,
      on: `${listed(names)} ${were(names)} not off ${where[scope]}.`,
      lock: `${listed(names)} ${were(names)} already locked.`,
      unlock: `${listed(names)} ${were(names)} not locked.`,
    })[verb],
  undo: (command: string) => `Back with \`${command}\`.`,
  stillOff: (reason: string) => `Still not available here: ${reason}`,
  templateUsed: (title: string) => `This channel's assistant is now *${title}*.`,
  templateAlready: (title: string) => `This channel's assistant was *${title}* already.`,
  templateUnknown: (name: string, suggestion?: string) =>
    `There is no template *${name}*.${suggestion ? ` Did you mean \`${suggestion}\`?` : ""} \`/footnote template list\` shows all.`,
  templates: "Templates",
  templateUsage: "`/footnote template use &lt;name&gt;` makes one this channel's assistant.",
  templateIsHere: "in use here",
  builtIn: "built in",
  version: (number: number) => `version ${number}`,
  replies: {
    mention: "It answers when it is mentioned, in threads too.",
    thread: "It answers when it is mentioned, and in threads it takes part in.",
    always: "It answers every message here.",
  },
  tryAsking: "Try asking:",
  asks: (name: string) => `**${name}** asks:`,
  notInChannel: "I am not in this channel. Invite me with `/invite @footnote`, then ask again.",
  help: [
    "`/footnote ask &lt;question&gt;` asks here; I answer in a thread.",
    "`/footnote tools` lists the tools, `/footnote tools off &lt;tool&gt;` switches one off for you, `on` on again.",
    "In a thread, where Slack has no slash commands: `!tools`, `!tools off &lt;tool&gt;`, or mention me with `tools`.",
    "Admins: `/footnote tools off &lt;tool&gt; in this channel`, `/footnote tools lock &lt;tool&gt;`, `/footnote template list`, `/footnote template use &lt;name&gt;`.",
  ],
};
