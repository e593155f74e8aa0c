/** Thumbs below an answer, and what may be added to them. */
export const english = {
  title: "Your feedback",
  down: "Thanks for saying so. What was wrong, or missing?",
  up: "What was good, or what could be better still?",
  addComment: "Add a comment",
  comment: "Comment",
  placeholder: "What should it say, or keep saying?",
  hint: "The admins of this workspace see your comment, your name and this answer's trace. You can change it by clicking again.",
  send: "Send",
  skip: "Not now",
  thanks: "Thank you, that is noted.",
  gone: "This answer is not kept any more, or it is not open to you.",
};

export const german: typeof english = {
  title: "Deine Rückmeldung",
  down: "Danke für den Hinweis. Was war falsch, oder was fehlt?",
  up: "Was war gut, oder was ginge noch besser?",
  addComment: "Kommentar hinzufügen",
  comment: "Kommentar",
  placeholder: "Was sollte darin stehen, oder so bleiben?",
  hint: "Die Admins dieses Workspace sehen deinen Kommentar, deinen Namen und den Trace dieser Antwort. Klicke noch einmal, um ihn zu ändern.",
  send: "Senden",
  skip: "Jetzt nicht",
  thanks: "Danke, das ist notiert.",
  gone: "Diese Antwort ist nicht mehr gespeichert, oder sie ist nicht für dich bestimmt.",
};
