/**
 * Text of a model, a document or a file's name for a terminal: what a terminal would obey (escape sequences, cursor movements) or use to
 * show things in another order is left out; line feeds and tabs stay.
 */
export const printable = (text: string): string => text.replace(/\r\n?/g, "\n").replace(obeyed, "");

const obeyed = /(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu;
