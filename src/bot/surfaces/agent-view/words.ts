/** What is offered above the field in which somebody writes to the bot, where the channel's assistant offers nothing of its own. */
export const english = {
  begin: "Ask, for instance",
  prompts: ["Which documents do you have?", "What is new in our documents?", "Which tools can you use here, and what for?"],
};

export const german: typeof english = {
  begin: "Frag zum Beispiel",
  prompts: ["Welche Dokumente hast du?", "Was ist neu in unseren Dokumenten?", "Welche Werkzeuge kannst du hier benutzen, und wofür?"],
};
