/** What is said about with whose rights a channel is answered. */
export const english = {
  rights: {
    every_member: "Answers in this channel draw only on what everybody who reads it may read.",
    asker:
      "Answers in this channel draw on what the person who asks may read, and everybody here sees them. Each answer says so. Where guests or another organisation read along, only what everybody may read is used.",
  },
  usage: "`/footnote audience asker` or `/footnote audience every_member` changes that.",
  direct: "In our direct message I always answer with what you may see yourself.",
};

export const german: typeof english = {
  rights: {
    every_member: "Antworten in diesem Channel stützen sich nur auf das, was alle lesen dürfen, die hier mitlesen.",
    asker:
      "Antworten in diesem Channel stützen sich auf das, was die fragende Person lesen darf, und alle hier sehen sie. Jede Antwort sagt das dazu. Wo Gäste oder eine andere Organisation mitlesen, zählt nur, was alle lesen dürfen.",
  },
  usage: "`/footnote audience asker` oder `/footnote audience every_member` ändert das.",
  direct: "In unserer Direktnachricht antworte ich immer mit dem, was du selbst sehen darfst.",
};
