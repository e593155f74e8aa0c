/** The modal that shows what an answer's sources say. Marks are Slack's; names come in as mrkdwn that is already inert. */
export const english = {
  title: "Sources",
  intro: "What this answer cites, as it reads now. Only you see this.",
  /** Said equally of what is forbidden and of what is gone. */
  notForYou: (n: number) => `*[${n}]* This source is not for you, or it does not exist any more.`,
  more: (count: number) =>
    count === 1 ? "1 more source is in the answer's own list." : `${count} more sources are in the answer's own list.`,
  nothing: "There is nothing to show here. The answer is not kept any more, or it is not open to you.",
};

export const german: typeof english = {
  title: "Quellen",
  intro: "Worauf sich diese Antwort stützt, im heutigen Wortlaut. Nur du siehst das.",
  notForYou: (n) => `*[${n}]* Diese Quelle ist nicht für dich bestimmt, oder es gibt sie nicht mehr.`,
  more: (count) =>
    count === 1
      ? "1 weitere Quelle steht in der Liste unter der Antwort."
      : `${count} weitere Quellen stehen in der Liste unter der Antwort.`,
  nothing: "Hier gibt es nichts zu zeigen. Die Antwort ist nicht mehr gespeichert, oder sie ist nicht für dich bestimmt.",
};
