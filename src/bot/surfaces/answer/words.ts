import { inGerman } from "./said-in-german.ts";

/** Every word the bot itself says in Slack. Another language is another object of this shape. */
export interface Words {
  readonly starting: string;
  readonly writing: string;
  readonly sources: string;
  readonly page: (page: number) => string;
  readonly relevance: (share: number) => string;
  readonly results: (count: number) => string;
  readonly seconds: (ms: number) => string;
  readonly earlierSteps: (count: number) => string;
  readonly furtherSteps: (count: number) => string;
  readonly reading: string;
  readonly failed: string;
  readonly notAllowed: string;
  readonly stopped: string;
  readonly stoppedBy: (person: string) => string;
  readonly questionDeleted: string;
  readonly limited: string;
  readonly empty: string;
  readonly queueFull: string;
  /** What a question waits for. @param others how many more are between the two */
  readonly waits: (question: string, asker: string | undefined, others: number) => string;
  readonly stopThat: string;
  /** Makes a question that waits part of the answer that it waits for. */
  readonly takeIn: string;
  readonly takenIn: string;
  readonly notTakenIn: string;
  readonly askWhat: string;
  readonly askAboutFiles: (names: string) => string;
  readonly nothingRuns: string;
  readonly notYours: string;
  readonly stop: string;
  readonly stopHint: string;
  readonly regenerate: string;
  readonly regenerateHint: string;
  readonly retry: string;
  readonly retryHint: string;
  readonly sourcesHint: string;
  readonly tools: string;
  readonly toolsHint: string;
  readonly searchPrivately: string;
  readonly searchPrivatelyHint: string;
  readonly keepFiles: string;
  readonly keepFilesHint: string;
  readonly share: string;
  readonly shareHint: string;
  /** Whose rights an answer in a channel is made with. */
  readonly drawnFrom: { readonly every_member: string; readonly asker: string };
  readonly goodAnswer: string;
  readonly badAnswer: string;
  readonly trace: string;
  readonly errorId: string;
  /** A sentence of the agent or of a tool, which come in English. What is not known is somebody else's and stays as it is. */
  readonly said: (sentence: string) => string;
}

export const english: Words = {
  starting: "On it \u2026",
  writing: "Still writing \u2026",
  sources: "Sources",
  page: (page) => `page ${page}`,
  relevance: (share) => `relevance ${Math.round(share * 100)} %`,
  results: (count) => (count === 1 ? "1 result" : `${count} results`),
  seconds: (ms) => `${(ms / 1_000).toFixed(1)} s`,
  earlierSteps: (count) => (count === 1 ? "1 earlier step" : `${count} earlier steps`),
  furtherSteps: (count) => (count === 1 ? "1 further step" : `${count} further steps`),
  reading: "Reading the question",
  failed: "failed",
  notAllowed: "not allowed",
  stopped: "Stopped. This is what was written until then.",
  stoppedBy: (person) => `Stopped by ${person}. This is what was written until then.`,
  questionDeleted: "Stopped, because the question was deleted.",
  limited: "The limit for one answer was reached. This is what was found until then.",
  empty: "I have no answer to that. Please ask again in other words.",
  queueFull: "Too many questions are waiting here. Please ask again in a minute.",
  waits: (question, asker, others) =>
    `Your question is answered after ${asker ? `that of ${asker}` : "your earlier one"}: “${question}”${others > 0 ? ` and ${others === 1 ? "one more" : `${others} more`}` : ""}.`,
  stopThat: "Stop that answer",
  takeIn: "Take it into account now",
  takenIn: "It becomes part of the answer that is being made, at its next step. Should that answer end before, yours comes right after it.",
  notTakenIn: "That answer cannot take it in any more. Your question is answered by itself.",
  askWhat: "You mentioned me without a question. What would you like to know?",
  askAboutFiles: (names) =>
    `I have ${names}. What would you like to know about it? I can also add it to the documents, so that answers draw on it.`,
  nothingRuns: "Nothing is running here that could be stopped.",
  notYours: "Only the person who asked, or an admin, can stop this answer.",
  stop: "Stop",
  stopHint: "Stop this answer; what is written stays",
  regenerate: "Ask again",
  regenerateHint: "Replace this answer with a new one",
  retry: "Try again",
  retryHint: "Ask this question again",
  sourcesHint: "Show the passages that this answer cites",
  tools: "Tools",
  toolsHint: "See and switch the tools of this thread",
  searchPrivately: "Search privately",
  searchPrivatelyHint: "Ask this again in a direct message, with everything you may see yourself",
  keepFiles: "Add to knowledge",
  keepFilesHint: "Add the files of this question to the documents, for whom you choose",
  share: "Share",
  shareHint: "See what would be posted into the thread you asked in, then post it",
  drawnFrom: {
    every_member: "drawn from what everyone here may read",
    asker: ":eyes: answered with the asker's own rights, as an admin has set for this channel",
  },
  goodAnswer: "Good answer",
  badAnswer: "Bad answer",
  trace: "Trace",
  errorId: "Error id",
  said: (sentence) => sentence,
};

/** The words of an answer in German. */
export const german: Words = {
  starting: "Bin dran \u2026",
  writing: "Schreibe noch \u2026",
  sources: "Quellen",
  page: (page) => `Seite ${page}`,
  relevance: (share) => `Relevanz ${Math.round(share * 100)} %`,
  results: (count) => (count === 1 ? "1 Treffer" : `${count} Treffer`),
  seconds: (ms) => `${(ms / 1_000).toFixed(1).replace(".", ",")} s`,
  earlierSteps: (count) => (count === 1 ? "1 früherer Schritt" : `${count} frühere Schritte`),
  furtherSteps: (count) => (count === 1 ? "1 weiterer Schritt" : `${count} weitere Schritte`),
  reading: "Lese die Frage",
  failed: "fehlgeschlagen",
  notAllowed: "nicht erlaubt",
  stopped: "Angehalten. Das wurde bis dahin geschrieben.",
  stoppedBy: (person) => `Angehalten von ${person}. Das wurde bis dahin geschrieben.`,
  questionDeleted: "Angehalten, weil die Frage gelöscht wurde.",
  limited: "Die Grenze für eine Antwort ist erreicht. Das wurde bis dahin gefunden.",
  empty: "Darauf habe ich keine Antwort. Bitte frage noch einmal mit anderen Worten.",
  queueFull: "Hier warten zu viele Fragen. Bitte frage in einer Minute noch einmal.",
  waits: (question, asker, others) =>
    `Deine Frage kommt nach ${asker ? `der von ${asker}` : "deiner früheren"} dran: „${question}“${others > 0 ? ` und ${others === 1 ? "einer weiteren" : `${others} weiteren`}` : ""}.`,
  stopThat: "Jene Antwort anhalten",
  takeIn: "Jetzt berücksichtigen",
  takenIn: "Sie fließt beim nächsten Schritt in die laufende Antwort ein. Endet diese vorher, kommt deine Frage gleich danach dran.",
  notTakenIn: "Jene Antwort kann sie nicht mehr aufnehmen. Deine Frage wird für sich beantwortet.",
  askWhat: "Du hast mich ohne Frage erwähnt. Was möchtest du wissen?",
  askAboutFiles: (names) =>
    `Ich habe ${names}. Was möchtest du dazu wissen? Ich kann es auch zu den Dokumenten nehmen, dann stützen sich Antworten darauf.`,
  nothingRuns: "Hier läuft gerade nichts, was angehalten werden könnte.",
  notYours: "Nur wer gefragt hat, oder ein Admin, kann diese Antwort anhalten.",
  stop: "Anhalten",
  stopHint: "Diese Antwort anhalten; was dasteht, bleibt stehen",
  regenerate: "Neu fragen",
  regenerateHint: "Diese Antwort durch eine neue ersetzen",
  retry: "Noch einmal versuchen",
  retryHint: "Diese Frage noch einmal stellen",
  sourcesHint: "Die Stellen zeigen, auf die sich diese Antwort stützt",
  tools: "Werkzeuge",
  toolsHint: "Die Werkzeuge dieses Threads ansehen und schalten",
  searchPrivately: "Privat suchen",
  searchPrivatelyHint: "Dieselbe Frage in einer Direktnachricht, mit allem, was du selbst sehen darfst",
  keepFiles: "Zum Wissen hinzufügen",
  keepFilesHint: "Die Dateien dieser Frage zu den Dokumenten nehmen, für wen, wählst du",
  share: "Teilen",
  shareHint: "Ansehen, was in den Thread der Frage käme, und es dann dort posten",
  drawnFrom: {
    every_member: "aus dem, was hier alle lesen dürfen",
    asker: ":eyes: beantwortet mit den Rechten der fragenden Person, so von einem Admin für diesen Channel festgelegt",
  },
  goodAnswer: "Gute Antwort",
  badAnswer: "Schlechte Antwort",
  trace: "Trace",
  errorId: "Fehlernummer",
  said: inGerman,
};
