const answers = (count: string): string => `${count} ${count === "1" ? "answer" : "answers"}`;
const antworten = (count: string): string => `${count} ${count === "1" ? "Antwort" : "Antworten"}`;

/** What was used and what may be. Numbers come in as people write them. */
export const english = {
  title: "Usage and budgets",
  intro: "Counted are answers since the first of the month (UTC), and the tokens that language models read and wrote for them.",
  yours: "Yours",
  everybodys: "The whole workspace",
  line: (count: string, tokens: string) => `${answers(count)}, ${tokens} tokens`,
  lineOf: (count: string, tokens: string, most: string, percent: number) => `${answers(count)}, ${tokens} of ${most} tokens (${percent} %)`,
  topChannels: "Most in",
  topPeople: "Most by",
  direct: "direct messages",
  topLine: (who: string, count: string, tokens: string) => `${who}: ${tokens} tokens, ${answers(count)}`,
  budgets: "Budgets",
  budgetsIntro:
    "Tokens a month. When one is used up, questions are answered with passages from the documents until the month ends. A channel's own budget is in its template.",
  workspace: "The whole workspace",
  person: "Each person",
  hint: "For example 5,000,000 or 5M. Empty: no limit.",
  save: "Save",
  saved: "Saved. It counts from the next question on.",
  unchanged: "Nothing was changed.",
  notANumber: "A number of tokens, at least 1,000, for example 250,000 or 0.25M.",
  button: "See usage",
  buttonAdmin: "Usage and budgets",
};

export const german: typeof english = {
  title: "Verbrauch und Budgets",
  intro: "Gezählt werden Antworten seit dem Ersten des Monats (UTC) und die Tokens, die Sprachmodelle dafür gelesen und geschrieben haben.",
  yours: "Deiner",
  everybodys: "Der ganze Workspace",
  line: (count, tokens) => `${antworten(count)}, ${tokens} Tokens`,
  lineOf: (count, tokens, most, percent) => `${antworten(count)}, ${tokens} von ${most} Tokens (${percent} %)`,
  topChannels: "Am meisten in",
  topPeople: "Am meisten von",
  direct: "Direktnachrichten",
  topLine: (who, count, tokens) => `${who}: ${tokens} Tokens, ${antworten(count)}`,
  budgets: "Budgets",
  budgetsIntro:
    "Tokens im Monat. Ist eines verbraucht, werden Fragen bis zum Monatsende mit Stellen aus den Dokumenten beantwortet. Das Budget eines Channels steht in seiner Vorlage.",
  workspace: "Der ganze Workspace",
  person: "Jede Person",
  hint: "Zum Beispiel 5.000.000 oder 5M. Leer: unbegrenzt.",
  save: "Speichern",
  saved: "Gespeichert. Es gilt ab der nächsten Frage.",
  unchanged: "Nichts wurde geändert.",
  notANumber: "Eine Anzahl Tokens, mindestens 1.000, zum Beispiel 250.000 oder 0,25M.",
  button: "Verbrauch ansehen",
  buttonAdmin: "Verbrauch und Budgets",
};
