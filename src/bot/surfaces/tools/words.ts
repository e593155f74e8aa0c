import { type Obstacle, sentenceFor } from "../../../permissions/enabled-tools.ts";
import type { ToggleScope } from "../../../permissions/toggles.ts";

/** The modal in which tools are switched. Names come in as mrkdwn that is already inert. */
export const english = {
  title: "Tools",
  intro: (where: string) => `What Footnote may use when it answers you ${where}.`,
  inChannel: (channel: string) => `in <#${channel}>`,
  inThread: (channel: string) => `in this thread in <#${channel}>`,
  inDirect: "in our direct messages",
  assistant: (title: string) => `The assistant here is *${title}*.`,
  changeFor: "Change for",
  scopes: {
    person: "Only me",
    thread: "This thread",
    channel: "This channel",
    admin: "The whole workspace",
  } satisfies Record<ToggleScope, string>,
  none: "No tool is installed.",
  on: "Switched on.",
  switchOff: "Switch off",
  switchOn: "Switch on",
  lock: "Lock",
  unlock: "Unlock",
  alsoOff: (scopes: string) => `Also off for: ${scopes}.`,
  order:
    "An admin's lock counts before the channel, the channel before the thread, the thread before you. A running answer notices at its next step.",
  reason: (obstacle: Obstacle): string => sentenceFor(obstacle),
  nothing: "There is nothing to switch here: you do not read this conversation, or it does not exist any more.",
};

const rollen = { owner: "Inhaber", admin: "Admin", member: "Mitglied", guest: "Gast", outsider: "Außenstehender" } as const;

export const german: typeof english = {
  title: "Werkzeuge",
  intro: (where) => `Was Footnote benutzen darf, wenn es dir ${where} antwortet.`,
  inChannel: (channel) => `in <#${channel}>`,
  inThread: (channel) => `in diesem Thread in <#${channel}>`,
  inDirect: "in unseren Direktnachrichten",
  assistant: (title) => `Der Assistent hier ist *${title}*.`,
  changeFor: "Ändern für",
  scopes: { person: "Nur mich", thread: "Diesen Thread", channel: "Diesen Channel", admin: "Den ganzen Workspace" },
  none: "Es ist kein Werkzeug installiert.",
  on: "Eingeschaltet.",
  switchOff: "Ausschalten",
  switchOn: "Einschalten",
  lock: "Sperren",
  unlock: "Entsperren",
  alsoOff: (scopes) => `Auch aus für: ${scopes}.`,
  order:
    "Die Sperre eines Admins gilt vor dem Channel, der Channel vor dem Thread, der Thread vor dir. Eine laufende Antwort merkt es beim nächsten Schritt.",
  reason: (obstacle) => {
    const { label } = obstacle;
    switch (obstacle.kind) {
      case "not-taking-part":
        return "Werkzeuge sind für Leute aus diesem Workspace da; das kann niemand ändern.";
      case "unreleased":
        return `${label} ist für diesen Workspace noch nicht freigegeben; wer Footnote betreibt, kann es freigeben.`;
      case "not-configured":
        return `${obstacle.missing} Wer Footnote betreibt, kann es einrichten.`;
      case "not-allowed":
        return `${label} ist in diesem Workspace nicht erlaubt; ein Workspace-Admin kann es erlauben.`;
      case "role":
        return `${label} ist erst ab der Rolle ${rollen[obstacle.least]} erlaubt; ein Workspace-Admin kann das ändern.`;
      case "template-lock":
        return `${label} ist beim Assistenten dieses Channels gesperrt; ein Workspace-Admin kann seine Vorlage ändern.`;
      case "template":
        return `${label} gehört nicht zum Assistenten dieses Channels; ein Workspace-Admin kann es hinzufügen.`;
      case "admin":
        return `${label} ist von einem Admin gesperrt; nur ein Workspace-Admin kann es entsperren.`;
      case "channel":
        return `${label} ist in diesem Channel ausgeschaltet; ein Workspace-Admin kann es einschalten.`;
      case "thread":
        return `${label} ist in diesem Thread ausgeschaltet; alle im Thread können es einschalten.`;
      case "person":
        return `${label} hast du ausgeschaltet; du kannst es einschalten.`;
      default:
        return obstacle satisfies never;
    }
  },
  nothing: "Hier gibt es nichts zu schalten: Du liest diese Unterhaltung nicht, oder es gibt sie nicht mehr.",
};
