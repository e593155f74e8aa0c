import type { Standing } from "../../permissions/roles.ts";
import { type Change, mayNotChange, type ToggleScope } from "../../permissions/toggles.ts";

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
export const english = {
  /** Why somebody may not change something, if they may not. */
  refusal: (change: Change, person: Standing): string => mayNotChange(change, person) ?? "",
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
    "`/footnote template` shows the assistants of this workspace and starts a thread with one; admins write them there.",
    "`/footnote docs` lists the documents that you have added from Slack. Add one with “Add to knowledge” in the menu of a message with a file.",
    "Admins: `/footnote tools off &lt;tool&gt; in this channel`, `/footnote tools lock &lt;tool&gt;`, `/footnote template list`, `/footnote template use &lt;name&gt;`, `/footnote audience`.",
    "`/footnote role` shows your roles; owners and admins give them to members there.",
    "`/footnote usage` shows what you have used this month; admins see everybody's and set budgets there.",
  ],
};

const wo: Readonly<Record<ToggleScope, string>> = {
  admin: "in diesem Workspace",
  channel: "in diesem Channel",
  thread: "in diesem Thread",
  person: "für dich",
};

const aufgezählt = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} und ${names.at(-1)}`;
const ist = (names: readonly string[]): string => (names.length === 1 ? "ist" : "sind");
const war = (names: readonly string[]): string => (names.length === 1 ? "war" : "waren");

const nurAdmins: Readonly<Record<Change, string>> = {
  admin:
    "Nur ein Workspace-Admin oder die Werkzeug-Verwaltung kann ein Werkzeug sperren oder entsperren. Für dich allein kannst du es mit „for me“ ausschalten.",
  channel:
    "Nur ein Workspace-Admin oder die Werkzeug-Verwaltung kann die Werkzeuge eines ganzen Channels ändern. Für dich allein kannst du Werkzeuge mit „for me“ ausschalten.",
  thread: "Nur Leute aus diesem Workspace können ändern, was Footnote hier tut.",
  person: "Nur Leute aus diesem Workspace können ändern, was Footnote hier tut.",
  template: "Nur ein Workspace-Admin oder die Vorlagen-Redaktion kann den Assistenten eines Channels wählen.",
  knowledge: "Nur ein Workspace-Admin oder die Wissens-Redaktion kann entscheiden, was der ganze Workspace findet.",
  budget: "Nur ein Workspace-Admin kann Budgets festlegen.",
  audience: "Nur ein Workspace-Admin kann wählen, mit wessen Rechten in einem Channel geantwortet wird.",
  servers: "Nur ein Workspace-Admin kann externe Server hinzufügen, ändern oder entfernen.",
};

export const german: typeof english = {
  refusal: (change, person) =>
    mayNotChange(change, person) === undefined ? "" : mayNotChange("person", person) ? nurAdmins.person : nurAdmins[change],
  unknownPerson: "Slack konnte mir gerade nicht sagen, wer du bist, darum wurde nichts geändert. Bitte versuche es gleich noch einmal.",
  outsider: "Footnote nimmt Befehle nur von Leuten aus diesem Workspace an.",
  failed: "Bei uns ist etwas schiefgegangen, und nichts wurde geändert. Bitte versuche es noch einmal.",
  noThread: "Das ist kein Thread. Schreibe `!tools` in den Thread, den du meinst.",
  toolsHere: (scope) =>
    ({
      channel: "Werkzeuge in diesem Channel, für dich",
      thread: "Werkzeuge in diesem Thread, für dich",
      direct: "Werkzeuge in dieser Unterhaltung",
    })[scope],
  noTools: "Es ist kein Werkzeug installiert.",
  assistant: (title) => `Der Assistent dieses Channels: *${title}*`,
  usage: (prefix, inThread) =>
    `\`${prefix} off &lt;tool&gt;\` schaltet ein Werkzeug ${inThread ? "in diesem Thread" : "für dich"} aus, \`${prefix} on &lt;tool&gt;\` wieder ein. Dazu \`for me\`, oder \`in this channel\` (Admins). Admins: \`${prefix} lock &lt;tool&gt;\`, \`unlock\`.`,
  unknownTool: (name, suggestion) => `Ich kenne kein Werkzeug *${name}*.${suggestion ? ` Meintest du \`${suggestion}\`?` : ""}`,
  nothingChanged: (prefix) => `Nichts wurde geändert. \`${prefix}\` zeigt alle Werkzeuge.`,
  switched: (verb, names, scope) =>
    ({
      off: `${aufgezählt(names)} ${ist(names)} jetzt ${wo[scope]} ausgeschaltet.`,
      on: `${aufgezählt(names)} ${ist(names)} ${wo[scope]} nicht mehr ausgeschaltet.`,
      lock: `${aufgezählt(names)} ${ist(names)} jetzt gesperrt: aus für alle in diesem Workspace.`,
      unlock: `${aufgezählt(names)} ${ist(names)} nicht mehr gesperrt.`,
    })[verb],
  already: (verb, names, scope) =>
    ({
      off: `${aufgezählt(names)} ${war(names)} ${wo[scope]} schon ausgeschaltet.`,
      on: `${aufgezählt(names)} ${war(names)} ${wo[scope]} nicht ausgeschaltet.`,
      lock: `${aufgezählt(names)} ${war(names)} schon gesperrt.`,
      unlock: `${aufgezählt(names)} ${war(names)} nicht gesperrt.`,
    })[verb],
  undo: (command) => `Zurück mit \`${command}\`.`,
  stillOff: (reason) => `Hier weiterhin nicht verfügbar: ${reason}`,
  templateUsed: (title) => `Der Assistent dieses Channels ist jetzt *${title}*.`,
  templateAlready: (title) => `Der Assistent dieses Channels war schon *${title}*.`,
  templateUnknown: (name, suggestion) =>
    `Es gibt keine Vorlage *${name}*.${suggestion ? ` Meintest du \`${suggestion}\`?` : ""} \`/footnote template list\` zeigt alle.`,
  templates: "Vorlagen",
  templateUsage: "`/footnote template use &lt;Name&gt;` macht eine davon zum Assistenten dieses Channels.",
  templateIsHere: "hier in Gebrauch",
  builtIn: "eingebaut",
  version: (number) => `Version ${number}`,
  replies: {
    mention: "Er antwortet, wenn er erwähnt wird, auch in Threads.",
    thread: "Er antwortet, wenn er erwähnt wird, und in Threads, an denen er teilnimmt.",
    always: "Er antwortet hier auf jede Nachricht.",
  },
  tryAsking: "Frage zum Beispiel:",
  asks: (name) => `**${name}** fragt:`,
  notInChannel: "Ich bin nicht in diesem Channel. Lade mich mit `/invite @footnote` ein und frage dann noch einmal.",
  help: [
    "`/footnote ask &lt;Frage&gt;` fragt hier; ich antworte in einem Thread.",
    "`/footnote tools` zeigt die Werkzeuge, `/footnote tools off &lt;tool&gt;` schaltet eines für dich aus, `on` wieder ein.",
    "In einem Thread, wo Slack keine Befehle mit Schrägstrich hat: `!tools`, `!tools off &lt;tool&gt;`, oder erwähne mich mit `tools`.",
    "`/footnote template` zeigt die Assistenten dieses Workspace und beginnt einen Thread mit einem; Admins schreiben sie dort.",
    "`/footnote docs` zeigt die Dokumente, die du aus Slack hinzugefügt hast. Neue: „Add to knowledge“ im Menü einer Nachricht mit Datei.",
    "Admins: `/footnote tools off &lt;tool&gt; in this channel`, `/footnote tools lock &lt;tool&gt;`, `/footnote template list`, `/footnote template use &lt;Name&gt;`, `/footnote audience`.",
    "`/footnote role` zeigt deine Rollen; Inhaber und Admins geben sie dort Mitgliedern.",
    "`/footnote usage` zeigt, was du in diesem Monat verbraucht hast; Admins sehen dort auch, was alle verbrauchen, und legen Budgets fest.",
  ],
};
