import type { Words } from "../out/views/words.ts";

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
  limited: "Die Grenze für eine Antwort ist erreicht. Das wurde bis dahin gefunden.",
  empty: "Darauf habe ich keine Antwort. Bitte frage noch einmal mit anderen Worten.",
  queueFull: "Hier warten zu viele Fragen. Bitte frage in einer Minute noch einmal.",
  askWhat: "Du hast mich ohne Frage erwähnt. Was möchtest du wissen?",
  retry: "Noch einmal versuchen",
  retryHint: "Diese Frage noch einmal stellen",
  sourcesHint: "Die Stellen zeigen, auf die sich diese Antwort stützt",
  tools: "Werkzeuge",
  toolsHint: "Die Werkzeuge dieses Threads ansehen und schalten",
  trace: "Trace",
  errorId: "Fehlernummer",
};
