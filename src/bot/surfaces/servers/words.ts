import type { ServerField } from "../../../plugins/check-server.ts";
import type { ServerAccess } from "../../../plugins/workspace-servers.ts";

/** External servers that a workspace has of its own. Names and addresses come in as mrkdwn that is already inert. */
export const english = {
  title: "External servers",
  home: (count: number) =>
    count === 0
      ? "This workspace has none of its own."
      : count === 1
        ? "1 server of this workspace's own."
        : `${count} servers of this workspace's own.`,
  manage: "See and change",
  intro:
    "Servers that speak the Model Context Protocol (MCP) give me more tools. What a question needs is sent there, so add only servers that your workspace trusts. Nobody can use a tool before you have approved it.",
  none: "None yet.",
  access: {
    open: "no log-in",
    header: "one secret for everybody",
    login: "everybody logs in for themselves",
  } satisfies Record<ServerAccess["kind"], string>,
  noSecret: "Its secret is gone: enter it anew.",
  shadowed: "Not in use: whoever runs this Footnote lists a server of that name.",
  approve: "`/footnote mcp` lists what your servers offer and approves it.",
  add: "Add a server",
  change: "Change",
  remove: "Remove",
  back: "Back",
  confirm: {
    title: "Remove this server?",
    text: (title: string) =>
      `Calls to ${title} end now. What was approved of it and everybody's log-ins there are destroyed, and cannot be brought back.`,
    yes: "Remove",
    no: "Keep",
  },
  form: {
    titleNew: "Add a server",
    titleChange: "Change a server",
    save: "Save",
    cancel: "Cancel",
    name: "Name",
    nameHint: "Stands in front of its tools' names, such as tracker. It cannot be changed later.",
    title: "What people see",
    url: "Address",
    urlHint: "An address that begins with https://",
    access: "How to log in",
    header: "Header",
    headerHint: "Such as Authorization",
    secret: "Value of the header",
    secretHint: "All of it, such as Bearer and the key. It is kept encrypted, sent to this address alone, and never shown again.",
    secretKept: "Leave it empty to keep the one that there is. Another host or header needs it anew.",
    issuer: "Authorization server",
    issuerHint: "Nobody's log-in goes to any other. An address that begins with https://",
    scopes: "Scopes",
    scopesHint: "What people are asked for when the server does not say, with blanks between them.",
    clientId: "Client id",
    clientIdHint: "As the authorization server knows Footnote. Without one Footnote registers itself.",
    accesses: {
      open: "Nobody logs in",
      header: "One secret for everybody",
      login: "Everybody for themselves",
    } satisfies Record<ServerAccess["kind"], string>,
  },
  mistakes: {
    name: "Lower case letters, digits and single hyphens, at most 24; a letter first.",
    title: "One line of at most 40 characters.",
    url: "A full address that begins with https://, with the full name of its host, without a port and without a user name.",
    header: "The name of a header that the protocol does not set itself.",
    secret: "One line of plain characters.",
    issuer: "A full address that begins with https://, with the full name of its host, without a port and without a user name.",
    scopes: "Names of scopes with blanks between them.",
    clientId: "One line of plain characters.",
    program: "A server has an address. Programs are named by whoever runs this Footnote, nowhere else.",
  } satisfies Record<ServerField, string>,
  saved: (title: string) =>
    `*${title}* is saved. I ask it now what it offers; its tools wait for your approval in \`/footnote mcp\`. When people log in there, its tools are known once somebody has.`,
  unchanged: (title: string) => `*${title}* was like this already.`,
  nameTaken: "Whoever runs this Footnote lists a server of that name or title. Choose another one.",
  tooMany: "This workspace has as many servers of its own as it may have. Remove one first.",
  needsSecret: "The header needs its value: there is none yet, or it was given for another host or header.",
  removed: (name: string) => `*${name}* is removed, with its approvals and everybody's log-ins there.`,
  unknown: (name: string) => `This workspace has no server *${name}* of its own.`,
  addedInForm:
    "Servers are added in a form: `/footnote mcp add`, with nothing behind it, opens it. Only addresses can be added; programs are named by whoever runs this Footnote.",
  off: "Here workspaces have no servers of their own: whoever runs this Footnote lists all.",
};

export const german: typeof english = {
  title: "Externe Server",
  home: (count) =>
    count === 0
      ? "Dieser Workspace hat keine eigenen."
      : count === 1
        ? "1 eigener Server dieses Workspace."
        : `${count} eigene Server dieses Workspace.`,
  manage: "Ansehen und ändern",
  intro:
    "Server, die das Model Context Protocol (MCP) sprechen, geben mir mehr Werkzeuge. Was eine Frage braucht, wird dorthin gesendet: Füge nur Server hinzu, denen dein Workspace vertraut. Niemand kann ein Werkzeug benutzen, bevor du es freigegeben hast.",
  none: "Noch keine.",
  access: {
    open: "ohne Anmeldung",
    header: "ein Geheimnis für alle",
    login: "alle melden sich selbst an",
  },
  noSecret: "Sein Geheimnis ist weg: Gib es neu ein.",
  shadowed: "Nicht in Gebrauch: Wer dieses Footnote betreibt, führt einen Server dieses Namens.",
  approve: "`/footnote mcp` zeigt, was eure Server anbieten, und gibt es frei.",
  add: "Server hinzufügen",
  change: "Ändern",
  remove: "Entfernen",
  back: "Zurück",
  confirm: {
    title: "Server entfernen?",
    text: (title) =>
      `Aufrufe bei ${title} enden jetzt. Seine Freigaben und alle Anmeldungen dort werden gelöscht und lassen sich nicht zurückholen.`,
    yes: "Entfernen",
    no: "Behalten",
  },
  form: {
    titleNew: "Server hinzufügen",
    titleChange: "Server ändern",
    save: "Speichern",
    cancel: "Abbrechen",
    name: "Name",
    nameHint: "Steht vor den Namen seiner Werkzeuge, zum Beispiel tracker. Er lässt sich später nicht ändern.",
    title: "Was die Leute sehen",
    url: "Adresse",
    urlHint: "Eine Adresse, die mit https:// beginnt",
    access: "Anmeldung",
    header: "Kopfzeile",
    headerHint: "Zum Beispiel Authorization",
    secret: "Wert der Kopfzeile",
    secretHint:
      "Der ganze Wert, etwa Bearer und der Schlüssel. Er wird verschlüsselt aufbewahrt, nur an diese Adresse gesendet und nie wieder gezeigt.",
    secretKept: "Lass es leer, um den vorhandenen zu behalten. Ein anderer Host oder eine andere Kopfzeile braucht ihn neu.",
    issuer: "Anmeldeserver",
    issuerHint: "Keine Anmeldung geht an einen anderen. Eine Adresse, die mit https:// beginnt",
    scopes: "Berechtigungen (Scopes)",
    scopesHint: "Worum die Leute gebeten werden, wenn der Server nichts sagt, mit Leerzeichen dazwischen.",
    clientId: "Client-ID",
    clientIdHint: "Wie der Anmeldeserver Footnote kennt. Ohne sie meldet sich Footnote selbst an.",
    accesses: {
      open: "Niemand meldet sich an",
      header: "Ein Geheimnis für alle",
      login: "Alle für sich selbst",
    },
  },
  mistakes: {
    name: "Kleinbuchstaben, Ziffern und einzelne Bindestriche, höchstens 24; zuerst ein Buchstabe.",
    title: "Eine Zeile mit höchstens 40 Zeichen.",
    url: "Eine vollständige Adresse, die mit https:// beginnt, mit dem ganzen Namen des Hosts, ohne Port und ohne Benutzernamen.",
    header: "Der Name einer Kopfzeile, die nicht das Protokoll selbst setzt.",
    secret: "Eine Zeile einfacher Zeichen.",
    issuer: "Eine vollständige Adresse, die mit https:// beginnt, mit dem ganzen Namen des Hosts, ohne Port und ohne Benutzernamen.",
    scopes: "Namen von Scopes mit Leerzeichen dazwischen.",
    clientId: "Eine Zeile einfacher Zeichen.",
    program: "Ein Server hat eine Adresse. Programme nennt nur, wer dieses Footnote betreibt, und nirgends sonst.",
  },
  saved: (title) =>
    `*${title}* ist gespeichert. Ich frage ihn jetzt, was er anbietet; seine Werkzeuge warten in \`/footnote mcp\` auf deine Freigabe. Wo man sich anmeldet, sind sie bekannt, sobald das jemand getan hat.`,
  unchanged: (title) => `*${title}* war schon so.`,
  nameTaken: "Wer dieses Footnote betreibt, führt einen Server dieses Namens oder Titels. Wähle einen anderen.",
  tooMany: "Dieser Workspace hat so viele eigene Server, wie er haben darf. Entferne erst einen.",
  needsSecret: "Die Kopfzeile braucht ihren Wert: Es gibt noch keinen, oder er galt einem anderen Host oder einer anderen Kopfzeile.",
  removed: (name) => `*${name}* ist entfernt, mit seinen Freigaben und allen Anmeldungen dort.`,
  unknown: (name) => `Dieser Workspace hat keinen eigenen Server *${name}*.`,
  addedInForm:
    "Server werden in einem Formular hinzugefügt: `/footnote mcp add`, mit nichts dahinter, öffnet es. Nur Adressen lassen sich hinzufügen; Programme nennt, wer dieses Footnote betreibt.",
  off: "Hier haben Workspaces keine eigenen Server: Wer dieses Footnote betreibt, führt alle.",
};
