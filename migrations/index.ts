/** Every migration in order. One change a file, never edited after it landed. */
export const migrations = [];
