/** What modals, buttons and App Home have in common. */
export const english = {
  close: "Close",
  waiting: "One moment …",
  failed: "Something went wrong on our side and nothing was changed. Please try again.",
  tooLate: "That took longer than Slack waits, so nothing was opened. Please click again.",
  unknownPerson: "Slack could not tell me just now who you are, so nothing was changed. Please try again in a minute.",
  outsider: "Footnote is for people of this workspace only.",
  refused: "This is not yours to change.",
  previous: "Previous",
  next: "Next",
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
};

export const german: typeof english = {
  close: "Schließen",
  waiting: "Einen Moment …",
  failed: "Bei uns ist etwas schiefgegangen, und nichts wurde geändert. Bitte versuche es noch einmal.",
  tooLate: "Das hat länger gedauert, als Slack wartet, darum wurde nichts geöffnet. Bitte klicke noch einmal.",
  unknownPerson: "Slack konnte mir gerade nicht sagen, wer du bist, darum wurde nichts geändert. Bitte versuche es gleich noch einmal.",
  outsider: "Footnote ist nur für Leute aus diesem Workspace da.",
  refused: "Das darfst du nicht ändern.",
  previous: "Zurück",
  next: "Weiter",
  pageOf: (page, pages) => `Seite ${page} von ${pages}`,
};
