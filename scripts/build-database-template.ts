/** Makes the empty database that first starts and tests copy, so that they need not initialise one. Run once after the install. */
import { buildTemplate, templateDirectory } from "../src/store/embedded/template.ts";

const built = await buildTemplate();
process.stdout.write(`${built ? "Built" : "Kept"} ${templateDirectory}\n`);
