import { notices, waitingFor } from "../../../agent/approval/refusal.ts";
import { addedLabel } from "./added-label.ts";

/** What is said of calls that wait for somebody, and of what was added to a question. */
const forAnswer = {
  [addedLabel]: "Deine weitere Nachricht wird berücksichtigt",
  [notices.noClick]: "Ein Aufruf wurde nicht gemacht, weil ihn niemand innerhalb von zehn Minuten erlaubt hat.",
  [notices.outcomeUnknown]:
    "Die Antwort wurde unterbrochen, während ein Aufruf lief; ob er etwas bewirkt hat, ist nicht bekannt. Bitte sieh nach, bevor du ihn noch einmal verlangst.",
  [notices.doneBefore]: "Ein Aufruf war vor der Unterbrechung der Antwort schon gelaufen und wurde nicht wiederholt.",
  [notices.noLogin]: "Ein Aufruf wurde nicht gemacht, weil sich niemand innerhalb von zehn Minuten angemeldet hat.",
  [waitingFor.click]: "Wartet auf deinen Klick",
  [waitingFor.answer]: "Wartet auf deine Antwort an den Server",
  [waitingFor.model]: "Wartet auf deinen Klick: Der Server möchte, dass unser Modell etwas schreibt",
  [waitingFor.reply]: "Wartet auf deinen Klick: Er zeigt, was das Modell für den Server geschrieben hat",
  [waitingFor.login]: "Wartet auf deine Anmeldung",
} satisfies Record<ValueOf<typeof notices> | ValueOf<typeof waitingFor> | typeof addedLabel, string>;

type ValueOf<T> = T[keyof T];

/** What the agent, the documents and the tools of this program say to people in English, sentence by sentence. */
const sentences: Readonly<Record<string, string>> = {
  ...forAnswer,
  "Who reads along here has changed, so this answer was begun anew.":
    "Wer hier mitliest, hat sich geändert, darum wurde diese Antwort neu begonnen.",
  "Earlier messages of this thread are summarised.": "Frühere Nachrichten dieses Threads sind zusammengefasst.",
  "Earlier messages of this thread are left out.": "Frühere Nachrichten dieses Threads sind weggelassen.",
  "Searching by meaning failed, so only passages with the words of the question were found.":
    "Die Suche nach der Bedeutung ist fehlgeschlagen, darum wurden nur Stellen mit den Wörtern der Frage gefunden.",
  "Searching by words failed, so only passages close in meaning were found.":
    "Die Suche nach Wörtern ist fehlgeschlagen, darum wurden nur Stellen mit ähnlicher Bedeutung gefunden.",
  "The embedding model does not know this language, so nothing was searched by meaning.":
    "Das Einbettungsmodell kennt diese Sprache nicht, darum wurde nicht nach der Bedeutung gesucht.",
  "The answer was cut at the model's length limit.": "Die Antwort wurde an der Längengrenze des Modells abgeschnitten.",
  "The model's content filter stopped the answer here.": "Der Inhaltsfilter des Modells hat die Antwort hier angehalten.",
  "The answer was cut here, because its time was over.": "Die Antwort wurde hier abgeschnitten, weil ihre Zeit um war.",
  // How a question ends without an answer.
  "There is no such person in this workspace, or Slack cannot say at the moment.":
    "In diesem Workspace gibt es diese Person nicht, oder Slack kann es gerade nicht sagen.",
  "There is no such channel in this workspace, that person is not in it, or Slack cannot say at the moment.":
    "In diesem Workspace gibt es diesen Channel nicht, die Person ist nicht darin, oder Slack kann es gerade nicht sagen.",
  "The question is empty.": "Die Frage ist leer.",
  "This account is deactivated, so questions from it are not answered.":
    "Dieses Konto ist deaktiviert, darum werden seine Fragen nicht beantwortet.",
  "Questions from other bots are not answered.": "Fragen anderer Bots werden nicht beantwortet.",
  "Footnote answers people of this workspace only.": "Footnote antwortet nur Leuten aus diesem Workspace.",
  "People from outside this workspace read along here, or are invited to, so Footnote does not answer here. Ask in a direct message.":
    "Hier lesen Leute von außerhalb dieses Workspace mit oder sind eingeladen, darum antwortet Footnote hier nicht. Frage in einer Direktnachricht.",
  "Who reads along here has changed while the answer was made. Please ask again.":
    "Wer hier mitliest, hat sich geändert, während die Antwort entstand. Bitte frage noch einmal.",
  "The language model could not answer.": "Das Sprachmodell konnte nicht antworten.",
  "The budget for this month is used up. An admin can raise it.": "Das Budget für diesen Monat ist verbraucht. Ein Admin kann es erhöhen.",
  "The connection to the language model broke off, so the answer is incomplete.":
    "Die Verbindung zum Sprachmodell ist abgebrochen, darum ist die Antwort unvollständig.",
  "Something went wrong on our side.": "Bei uns ist etwas schiefgegangen.",
  "The answer was interrupted more than once.": "Die Antwort wurde mehr als einmal unterbrochen.",
  "The answer made no progress and was given up.": "Die Antwort kam nicht voran und wurde aufgegeben.",
  // What tools are doing.
  "Reading the text around a passage": "Lese den Text um eine Stelle",
  "Listing the documents": "Liste die Dokumente auf",
  "Read a web page": "Eine Webseite lesen",
  "Search the web": "Das Web durchsuchen",
  "Search Slack": "Slack durchsuchen",
  "Search GitHub for issues": "GitHub nach Issues durchsuchen",
  "Search GitHub for projects": "GitHub nach Projekten durchsuchen",
  "Create a GitHub issue": "Ein GitHub-Issue anlegen",
  "Read on in a document": "In einem Dokument weiterlesen",
  "Search the documents": "Die Dokumente durchsuchen",
  "Search the documents' words": "Die Wörter der Dokumente durchsuchen",
  "List the documents": "Die Dokumente auflisten",
};

/** Why an answer was finished early, or is none of the model's own. */
const reasons: Readonly<Record<string, string>> = {
  "the same search was asked for again and again": "dieselbe Suche immer wieder verlangt wurde",
  "the token budget was used up": "das Token-Budget verbraucht war",
  "The language model cannot call tools": "Das Sprachmodell kann keine Werkzeuge aufrufen",
  "The language model is overloaded": "Das Sprachmodell ist überlastet",
  "The language model cannot be reached": "Das Sprachmodell ist nicht zu erreichen",
  "The language model refused the request": "Das Sprachmodell hat die Anfrage abgelehnt",
  "The language model gave no answer": "Das Sprachmodell gab keine Antwort",
  "This workspace's budget for the month is used up": "Das Budget dieses Workspace für den Monat ist verbraucht",
  "This channel's budget for the month is used up": "Das Budget dieses Channels für den Monat ist verbraucht",
  "Your budget for the month is used up": "Dein Budget für den Monat ist verbraucht",
};

const budgets: Readonly<Record<string, string>> = {
  "this workspace's budget": "des Budgets dieses Workspace",
  "this channel's budget": "des Budgets dieses Channels",
  "your budget": "deines Budgets",
};

type Made = (...parts: string[]) => string | undefined;

/** Sentences with something in them. Undefined means that it was not such a sentence after all. */
const patterns: readonly (readonly [RegExp, Made])[] = [
  [/^Answered from what was found so far, because (.+)\.$/, (why) => early(reasons[why] ?? limit(why))],
  [/^(.+), so the best passages of the documents are quoted instead\.$/, (why) => instead(reasons[why])],
  [
    /^(\d+) % of (.+) for the month is used up\.$/,
    (share, whose) => budgets[whose] && `${share} % ${budgets[whose]} für den Monat sind verbraucht.`,
  ],
  [/^The answer was cut at (\d+) characters\.$/, (count) => `Die Antwort wurde nach ${count} Zeichen abgeschnitten.`],
  [
    /^This channel's model, (.+), is not available, so (.+) answers\.$/,
    (wanted, usual) => `Das Modell dieses Channels, ${wanted}, ist nicht verfügbar, darum antwortet ${usual}.`,
  ],
  [/^Reading page (\d+) of a document$/, (page) => `Lese Seite ${page} eines Dokuments`],
  [/^Reading pages (\d+) to (\d+) of a document$/, (from, to) => `Lese die Seiten ${from} bis ${to} eines Dokuments`],
  [/^Reading (".*")$/s, (address) => `Lese ${address}`],
  [/^Searching the web for (.*)$/s, (query) => `Durchsuche das Web nach ${query}`],
  [/^Searching Slack for (.*)$/s, (query) => `Durchsuche Slack nach ${query}`],
  [/^Searching the documents for (.*)$/s, (query) => `Durchsuche die Dokumente nach ${query}`],
  [/^Looking in the documents for the words (.*)$/s, (query) => `Suche in den Dokumenten die Wörter ${query}`],
  [/^Listing the documents whose title contains (.*)$/s, (query) => `Liste die Dokumente auf, in deren Titel ${query} steht`],
  [/^Searching GitHub for pull requests: (.*)$/s, (query) => `Durchsuche GitHub nach Pull Requests: ${query}`],
  [/^Searching GitHub for issues: (.*)$/s, (query) => `Durchsuche GitHub nach Issues: ${query}`],
  [/^Searching GitHub for projects: (.*)$/s, (query) => `Durchsuche GitHub nach Projekten: ${query}`],
  [/^Creating an issue in (".*"): (".*")$/s, (where, title) => `Lege ein Issue in ${where} an: ${title}`],
];

const early = (because: string | undefined) => because && `Beantwortet mit dem, was bis dahin gefunden war, weil ${because}.`;
const instead = (because: string | undefined) => because && `${because}, darum werden die besten Stellen der Dokumente zitiert.`;

const units: Readonly<Record<string, string>> = { "tool calls": "Werkzeug-Aufrufen", steps: "Schritten", seconds: "Sekunden" };

function limit(why: string): string | undefined {
  const [, count, unit = ""] = /^the limit of (\d+) (tool calls|steps|seconds) was reached$/.exec(why) ?? [];
  return count === undefined ? undefined : `die Grenze von ${count} ${units[unit]} erreicht war`;
}

/** A sentence of the agent or of a tool in German; as it is when it is somebody else's. */
export function inGerman(sentence: string): string {
  if (Object.hasOwn(sentences, sentence)) return sentences[sentence] ?? sentence;
  for (const [pattern, make] of patterns) {
    const [whole, ...parts] = pattern.exec(sentence) ?? [];
    const made = whole === undefined ? undefined : make(...parts);
    if (made) return made;
  }
  return sentence;
}
