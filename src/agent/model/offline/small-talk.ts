import type { ToolDefinition } from "../model.ts";

const greeting =
  /^(?:hi|hello|hey|hiya|howdy|yo|moin|hallo|servus|bonjour|salut|hola|ciao|good (?:morning|afternoon|evening|day))(?: (?:there|all|everyone|team|footnote|bot))?$/;
const thanks =
  /^(?:(?:ok|okay|great|perfect|cool|nice|super|awesome) )?(?:thanks?|thank you|thx|ty|cheers|danke|merci|gracias|much appreciated)(?: (?:a lot|so much|very much|footnote|bot|again|you|for (?:the|your) (?:help|answer)|that helped|that helps))*$/;
const praise =
  /^(?:(?:ok|okay) )?(?:ok|okay|great|perfect|cool|nice|got it|understood|awesome|good (?:bot|job)|well done|alright|all good|makes sense)$/;
const farewell = /^(?:bye|goodbye|bye bye|see you(?: later| tomorrow)?|good night|ciao|tschüss)$/;
const howAreYou = /^(?:how are you(?: doing)?(?: today)?|how is it going|hows it going|whats up|sup)$/;
const abilities =
  /^(?:help|help me|(?:so )?what (?:can|do) you do(?: for (?:me|us))?|what can i ask(?: you)?|how can you help(?: me| us)?|what are you(?: able to do)?|who are you|what is footnote|how do you work|what tools do you have|how does this work)$/;

/** What each of the usual tools means for people. Other tools are named. */
const offers: Readonly<Record<string, string>> = {
  query_documents: "search your team's documents by meaning",
  document_full_text_search: "search them for exact words",
  get_document_context: "read on around a passage",
  list_documents: "list the documents I may use here",
};

/** The reply to a greeting, thanks or a question about the assistant itself; nothing when something is really asked. */
export function smallTalk(question: string, tools: readonly ToolDefinition[]): string | undefined {
  const said = question
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^\p{L}\p{N}\s]/gu, " ")
    .replace(/\s+/g, " ")
    .replace(/^(?:hi|hello|hey) (?=.)(?!there|all|everyone|team|footnote|bot)/, "")
    .trim();
  if (said === "" || greeting.test(said)) return "Hello! Ask me something about your team's documents, and I answer with the sources.";
  if (thanks.test(said)) return "You're welcome.";
  if (praise.test(said)) return "Good. Ask away when there is more.";
  if (farewell.test(said)) return "Goodbye!";
  if (howAreYou.test(said)) return "All well, thank you. What would you like to know?";
  return abilities.test(said) ? introduction(tools) : undefined;
}

function introduction(tools: readonly ToolDefinition[]): string {
  const usual = Object.keys(offers).filter((offer) => tools.some(({ name }) => name === offer));
  const others = tools.filter(({ name }) => !usual.includes(name)).map(({ name }) => `use the tool \`${name}\``);
  const named = [...usual.map((name) => offers[name]), ...others].map((ability) => `- ${ability}`);
  const can = named.length > 0 ? `Here I can:\n\n${named.join("\n")}` : "No tool is switched on for me here, so I can look nothing up.";
  return (
    `I am Footnote. I answer questions from your team's documents and show for each sentence where it comes from.\n\n${can}\n\n` +
    "No language model is connected yet, so I answer in the documents' own sentences."
  );
}
