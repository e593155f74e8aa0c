/** Stands among the tool calls of an answer when it takes a further message of its asker's in. */
export const addedLabel = "Taking your further message into account";
