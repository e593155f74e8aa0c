/** What somebody writes who wants an answer to stop: the word alone, in English or German, politely or not. */
const stopWords = /^(?:(?:please|bitte),? )?stopp?(?:,? (?:please|now|it|bitte|jetzt))?[.!]*$/i;

/** Whether a message, without a mention of the bot, says nothing but that the answer is to stop. */
export const saysStop = (text: string): boolean => stopWords.test(text.normalize("NFKC").replace(/\s+/g, " ").trim());
