/** What is said about asking about somebody's message. */
export const english = {
  title: "Ask about this",
  question: "Your question",
  placeholder: "What is meant by this? Is it still so?",
  where: "Where the answer goes",
  inThread: "Into the thread, for everybody here",
  privately: "Into our direct message, for you alone",
  ask: "Ask",
  cancel: "Cancel",
  about: (person: string, link: string) => `${person} asks about ${link}:`,
  thisMessage: "this message",
  alone: (channel: string) => `You asked about a message in ${channel}:`,
  notThere: (channel: string) => `I am not in ${channel}, so I answer here. Invite me there with \`/invite @footnote\`.`,
  failed: "Slack did not take the question, so nothing was asked. Please try again.",
};

export const german: typeof english = {
  title: "Danach fragen",
  question: "Deine Frage",
  placeholder: "Was ist damit gemeint? Gilt das noch?",
  where: "Wohin die Antwort kommt",
  inThread: "In den Thread, für alle hier",
  privately: "In unsere Direktnachricht, nur für dich",
  ask: "Fragen",
  cancel: "Abbrechen",
  about: (person, link) => `${person} fragt zu ${link}:`,
  thisMessage: "dieser Nachricht",
  alone: (channel) => `Du hast zu einer Nachricht in ${channel} gefragt:`,
  notThere: (channel) => `Ich bin nicht in ${channel}, darum antworte ich hier. Lade mich dort mit \`/invite @footnote\` ein.`,
  failed: "Slack hat die Frage nicht angenommen, darum wurde nichts gefragt. Bitte versuche es noch einmal.",
};
