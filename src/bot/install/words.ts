/** The direct message to whoever has installed the app. Marks are Slack's; names come in as mrkdwn that is already inert. */
export const english = {
  intro:
    "Thank you for installing me. I answer questions from your documents, with sources that open at the right page. Three things to try:",
  askAbout: (title: string) => `*1.* Ask me something, right here. For instance: _What does ${title} say about …?_`,
  noDocuments: (command: string) =>
    `*1.* Give me something to read: I have no documents yet. Whoever runs this Footnote reads them in with \`${command}\`. Then ask me about them, right here.`,
  invite: (mention: string) =>
    `*2.* Invite me to a channel with \`/invite\` and mention ${mention} there with a question. I answer in the thread, from what everybody in that channel may read.`,
  tools: "*3.* `/footnote tools` shows what I may use and switches it; `/footnote help` says what else I understand.",
  fallback: "Thank you for installing Footnote. Three things to try.",
};

export const german: typeof english = {
  intro:
    "Danke, dass du mich installiert hast. Ich beantworte Fragen aus euren Dokumenten, mit Quellen, die an der richtigen Stelle aufgehen. Drei Dinge zum Ausprobieren:",
  askAbout: (title) => `*1.* Frag mich etwas, gleich hier. Zum Beispiel: _Was steht in ${title} über …?_`,
  noDocuments: (command) =>
    `*1.* Gib mir etwas zu lesen: Ich habe noch keine Dokumente. Wer dieses Footnote betreibt, liest sie mit \`${command}\` ein. Dann frag mich danach, gleich hier.`,
  invite: (mention) =>
    `*2.* Lade mich mit \`/invite\` in einen Channel ein und erwähne ${mention} dort mit einer Frage. Ich antworte im Thread, aus dem, was alle in diesem Channel lesen dürfen.`,
  tools: "*3.* `/footnote tools` zeigt, was ich benutzen darf, und schaltet es um; `/footnote help` sagt, was ich sonst noch verstehe.",
  fallback: "Danke, dass du Footnote installiert hast. Drei Dinge zum Ausprobieren.",
};
