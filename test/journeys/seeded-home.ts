import { cpSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { template } from "../fakes/template.ts";

/** What decides how the handbooks lie in the database. */
const sources = ["migrations", "playground/seed", "src/knowledge", "src/store/repositories", "test/fakes/migrated-template.ts"];

/**
 * Puts a data folder in place whose documents are read in already: reading them takes longer than a whole journey.
 * @param make does it once: opens the program on the folder it is given, reads the documents in, closes it
 */
export async function placeSeededHome(home: string, make: (home: string) => Promise<void>): Promise<void> {
  const made = await template("test-home", sources, async (folder) => {
    await make(folder);
    await rm(join(folder, "database.lock"), { force: true });
  });
  cpSync(made, home, { recursive: true });
}
