import type { CallToAllow } from "../../agent/ports.ts";
import type { PersonId } from "../../core/ids.ts";
import type { ToolEffect } from "../../plugins/contract.ts";
import type { CallState, Decided } from "./approval-store.ts";

const effects: Readonly<Record<ToolEffect, string>> = {
  "read-inside": "It only reads.",
  "read-outside": "It sends these words to a service outside.",
  "side-effect": "It changes something.",
  destructive: "It changes what cannot be brought back.",
  unknown: "Nobody has said what it may change.",
};

/** A call, or what is asked in the middle of one. */
type About = NonNullable<CallToAllow["about"]> | "call";

const things: Readonly<Record<About, string>> = {
  call: "a call",
  question: "an answer to a server's question",
  "model-request": "our model to write for a server",
  "model-reply": "our model's words to go to a server",
};

const shownThings: Readonly<Record<About | "incomplete", string>> = {
  call: "exactly these arguments",
  question: "exactly this answer",
  incomplete: "this answer, in which something is missing",
  "model-request": "exactly these words",
  "model-reply": "exactly these words",
};

/** What the bot says when a call waits for a click. Names come in as mrkdwn that is already inert. */
export const english = {
  asks: (asker: PersonId, title: string, effect: ToolEffect) => `<@${asker}>, may I make this call? *${title}*. ${effects[effect]}`,
  asksForAnswer: (asker: PersonId, question: string) => `<@${asker}>, a server has a question in the middle of a call. *${question}*`,
  asksModel: (asker: PersonId, title: string, tokens: number) =>
    `<@${asker}>, the server behind *${title}* wants our language model to write something for it, ${tokens} tokens at most. The model gets exactly the words below and nothing of this conversation. What it writes is shown to you before the server gets it.`,
  givesBack: (asker: PersonId, title: string) =>
    `<@${asker}>, this is what our language model has written for the server behind *${title}*. May the server have it?`,
  /** @param about "incomplete": an answer in which something that is needed is missing */
  details: (tool: string, server: string | undefined, length: number, about: About | "incomplete" = "call") =>
    `${server === undefined ? `Tool ${tool}` : `Tool ${tool} of ${server}`}, with ${shownThings[about]} (${length} characters):`,
  readByAll: "It uses your own log-in, and finds what you may see there. *Everybody in this channel will read what comes of it.*",
  onlyAsker: (asker: PersonId) => `Only <@${asker}> can decide this, within ten minutes. Without a click nothing happens.`,
  elsewhere: (asker: PersonId) => `I have asked <@${asker}> in a direct message whether I may make a call.`,
  once: "Allow once",
  send: "Send",
  thread: "Allow for this thread",
  deny: "Don't allow",
  edit: {
    button: "Edit",
    fill: "Fill in",
    title: "Change the call",
    fillTitle: "Fill in",
    intro: (tool: string) => `What ${tool} is called with. Exactly what stands here when you allow it is sent, once.`,
    fillIntro: (tool: string) => `${tool} asks for this. Exactly what stands here when you allow it is sent, once.`,
    arguments: "Arguments (JSON)",
    yes: "Yes",
    no: "No",
    noJson: "This is no JSON object.",
    missing: "This is needed.",
    noNumber: "This does not fit.",
    unfit: (problem: string) => `This does not fit the tool: ${problem}`,
    changed: "The arguments were changed before.",
  },
  decided: (state: Exclude<CallState, "waiting">, asker: PersonId, title: string, about: About = "call") =>
    ({
      allowed: `<@${asker}> allowed ${things[about]}: ${title}.`,
      running: `<@${asker}> allowed ${things[about]}: ${title}.`,
      done: `<@${asker}> allowed ${things[about]}: ${title}.`,
      denied: `<@${asker}> did not allow ${things[about]}: ${title}.`,
      expired: `Nobody decided in time, so ${about === "call" ? "a call was not made" : "nothing was sent"}: ${title}.`,
    })[state],
  /** What admins read about tools of external servers. */
  external: {
    adminsOnly: "Only a workspace admin can decide about tools of external servers.",
    none: "No external server has offered a tool yet.",
    server: (name: string, problem: string | undefined) => `*${name}*: ${problem ?? "connected"}`,
    leftOut: (tool: string, reason: string) => `${tool} is left out, because ${reason}`,
    asks: "asks for each call",
    waiting: (server: string, names: string, more: number) =>
      `*${server}* offers tools that are new or have changed, so nobody can use them in this form: ${names}${more > 0 ? ` and ${more} more` : ""}. Look at one with \`/footnote mcp show &lt;tool&gt;\`, then approve it there.`,
    noLogIn: (server: string) => `Nobody logs in at a server *${server}*.`,
    ownUsage:
      "`/footnote mcp connect &lt;server&gt;` gives you a link to log in with your own account; `/footnote mcp logout &lt;server&gt;` destroys your log-in here.",
    unknown: (name: string) => `No external server offers a tool *${name}*. \`/footnote mcp\` lists all.`,
    usage:
      "`/footnote mcp show &lt;tool&gt;` shows a definition, or what has changed. `/footnote mcp approve &lt;tool&gt;@&lt;fingerprint&gt; &lt;effect&gt;` approves exactly that form; effects: read-inside, read-outside, side-effect, destructive. `/footnote mcp revoke &lt;tool&gt;` takes it back.",
    serverUsage:
      "`/footnote mcp add` adds a server of this workspace's own, `/footnote mcp servers` shows and changes them, `/footnote mcp remove &lt;server&gt;` removes one.",
    status: { new: "waits for approval", approved: "approved", changed: "changed since it was approved", gone: "no longer offered" },
    approved: (name: string) => `*${name}* is approved in this form.`,
    otherForm: (name: string) =>
      `*${name}* is not approved: name it as \`/footnote mcp show\` prints it, with the fingerprint of the form that you have looked at.`,
    revoked: (name: string) => `*${name}* is no longer approved.`,
    wasNot: (name: string) => `*${name}* was not approved.`,
    loggedOut: (server: string) => `Your log-in at *${server}* is destroyed here.`,
    wasNotLoggedIn: (server: string) => `You are not logged in at *${server}*.`,
  },
  /** Told to whoever clicked, where the card does not say it. */
  clicked: {
    "not-yours": "Only the person who asked can decide this.",
    expired: "This has expired: the call was not made. Ask again if you still want it.",
    "decided-before": "This was decided before.",
    unknown: "This card is not valid any more.",
  } satisfies Partial<Record<Decided, string>>,
};

const wirkungen: Readonly<Record<ToolEffect, string>> = {
  "read-inside": "Er liest nur.",
  "read-outside": "Er schickt diese Worte an einen Dienst außerhalb.",
  "side-effect": "Er ändert etwas.",
  destructive: "Er ändert, was sich nicht zurückholen lässt.",
  unknown: "Niemand hat gesagt, was er ändern kann.",
};

const dinge: Readonly<Record<About, string>> = {
  call: "einen Aufruf",
  question: "eine Antwort auf die Frage eines Servers",
  "model-request": "einen Text unseres Modells für einen Server",
  "model-reply": "die Weitergabe eines Textes unseres Modells an einen Server",
};

const gezeigteDinge: Readonly<Record<About | "incomplete", string>> = {
  call: "genau diesen Angaben",
  question: "genau dieser Antwort",
  incomplete: "dieser Antwort, in der etwas fehlt",
  "model-request": "genau diesen Worten",
  "model-reply": "genau diesen Worten",
};

export const german: typeof english = {
  asks: (asker, title, effect) => `<@${asker}>, darf ich diesen Aufruf machen? *${title}*. ${wirkungen[effect]}`,
  asksForAnswer: (asker, question) => `<@${asker}>, ein Server fragt mitten in einem Aufruf etwas. *${question}*`,
  asksModel: (asker, title, tokens) =>
    `<@${asker}>, der Server hinter *${title}* möchte, dass unser Sprachmodell etwas für ihn schreibt, höchstens ${tokens} Tokens. Das Modell bekommt genau die Worte unten und nichts aus diesem Gespräch. Was es schreibt, siehst du, bevor der Server es bekommt.`,
  givesBack: (asker, title) =>
    `<@${asker}>, das hat unser Sprachmodell für den Server hinter *${title}* geschrieben. Darf der Server es haben?`,
  details: (tool, server, length, about = "call") =>
    `${server === undefined ? `Werkzeug ${tool}` : `Werkzeug ${tool} von ${server}`}, mit ${gezeigteDinge[about]} (${length} Zeichen):`,
  readByAll:
    "Er verwendet deine eigene Anmeldung und findet, was du dort sehen darfst. *Alle in diesem Kanal lesen dann, was dabei herauskommt.*",
  onlyAsker: (asker) => `Nur <@${asker}> kann das entscheiden, innerhalb von zehn Minuten. Ohne Klick geschieht nichts.`,
  elsewhere: (asker) => `Ich habe <@${asker}> in einer Direktnachricht gefragt, ob ich etwas aufrufen darf.`,
  once: "Einmal erlauben",
  send: "Senden",
  thread: "In diesem Thread erlauben",
  deny: "Nicht erlauben",
  edit: {
    button: "Bearbeiten",
    fill: "Ausfüllen",
    title: "Aufruf ändern",
    fillTitle: "Ausfüllen",
    intro: (tool) => `Womit ${tool} aufgerufen wird. Genau was hier steht, wenn du es erlaubst, wird gesendet, einmal.`,
    fillIntro: (tool) => `${tool} möchte das wissen. Genau was hier steht, wenn du es erlaubst, wird gesendet, einmal.`,
    arguments: "Angaben (JSON)",
    yes: "Ja",
    no: "Nein",
    noJson: "Das ist kein JSON-Objekt.",
    missing: "Das wird gebraucht.",
    noNumber: "Das passt nicht.",
    unfit: (problem) => `Das passt nicht zum Werkzeug: ${problem}`,
    changed: "Die Angaben wurden vorher geändert.",
  },
  decided: (state, asker, title, about = "call") =>
    ({
      allowed: `<@${asker}> hat ${dinge[about]} erlaubt: ${title}.`,
      running: `<@${asker}> hat ${dinge[about]} erlaubt: ${title}.`,
      done: `<@${asker}> hat ${dinge[about]} erlaubt: ${title}.`,
      denied: `<@${asker}> hat ${dinge[about]} nicht erlaubt: ${title}.`,
      expired: `Niemand hat rechtzeitig entschieden, darum wurde ${about === "call" ? "ein Aufruf nicht gemacht" : "nichts gesendet"}: ${title}.`,
    })[state],
  external: {
    adminsOnly: "Nur ein Workspace-Admin kann über Werkzeuge fremder Server entscheiden.",
    none: "Noch hat kein fremder Server ein Werkzeug angeboten.",
    server: (name, problem) => `*${name}*: ${problem ?? "verbunden"}`,
    leftOut: (tool, reason) => `${tool} wird nicht angeboten: ${reason}`,
    asks: "fragt bei jedem Aufruf",
    waiting: (server, names, more) =>
      `*${server}* bietet Werkzeuge an, die neu sind oder sich geändert haben; in dieser Form kann sie niemand benutzen: ${names}${more > 0 ? ` und ${more} weitere` : ""}. \`/footnote mcp show &lt;tool&gt;\` zeigt sie; danach gib sie dort frei.`,
    noLogIn: (server) => `Bei einem Server *${server}* meldet sich niemand an.`,
    ownUsage:
      "`/footnote mcp connect &lt;server&gt;` gibt dir einen Link zur Anmeldung mit deinem eigenen Konto; `/footnote mcp logout &lt;server&gt;` löscht deine Anmeldung hier.",
    unknown: (name) => `Kein fremder Server bietet ein Werkzeug *${name}* an. \`/footnote mcp\` zeigt alle.`,
    usage:
      "`/footnote mcp show &lt;tool&gt;` zeigt eine Definition, oder was sich daran geändert hat. `/footnote mcp approve &lt;tool&gt;@&lt;fingerprint&gt; &lt;effect&gt;` gibt genau diese Form frei; Wirkungen: read-inside, read-outside, side-effect, destructive. `/footnote mcp revoke &lt;tool&gt;` nimmt das zurück.",
    serverUsage:
      "`/footnote mcp add` fügt einen eigenen Server dieses Workspace hinzu, `/footnote mcp servers` zeigt und ändert sie, `/footnote mcp remove &lt;server&gt;` entfernt einen.",
    status: { new: "wartet auf Freigabe", approved: "freigegeben", changed: "seit der Freigabe geändert", gone: "nicht mehr angeboten" },
    approved: (name) => `*${name}* ist in dieser Form freigegeben.`,
    otherForm: (name) =>
      `*${name}* ist nicht freigegeben: Nenne es so, wie \`/footnote mcp show\` es ausgibt, mit dem Fingerabdruck der Form, die du angesehen hast.`,
    revoked: (name) => `*${name}* ist nicht mehr freigegeben.`,
    wasNot: (name) => `*${name}* war nicht freigegeben.`,
    loggedOut: (server) => `Deine Anmeldung bei *${server}* ist hier gelöscht.`,
    wasNotLoggedIn: (server) => `Du bist bei *${server}* nicht angemeldet.`,
  },
  clicked: {
    "not-yours": "Nur wer gefragt hat, kann das entscheiden.",
    expired: "Das ist abgelaufen: Der Aufruf wurde nicht gemacht. Frag noch einmal, wenn du ihn noch willst.",
    "decided-before": "Das wurde schon entschieden.",
    unknown: "Diese Karte gilt nicht mehr.",
  },
};
