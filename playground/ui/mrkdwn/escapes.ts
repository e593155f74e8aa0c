const entities: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** Undoes Slack's three escapes, each once: `&amp;lt;` becomes `&lt;` and stays it. */
export const unescapeText = (raw: string): string => raw.replace(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
