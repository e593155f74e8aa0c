// Makes one file of each package that many tests load: Jest loads every module of a package anew for every test file, and some have
// hundreds. The files lie in dist/ and stay for as long as what is installed, and this script, are the same.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Each becomes a file that requires the others of this list, so that every class is there once. */
const commonJsPackages = ["typeorm", "pg", "@slack/bolt", "@slack/web-api", "undici", "pino", "ajv", "yaml", "ws"];

/**
 * These are made together: what several of them import (zod, for one) is in a file that they share. Of a package that is listed, every
 * path has to be that src/ and test/ import.
 */
const esModulePackages = [
  ...["zod", "openai", "unified", "remark-parse", "remark-gfm", "htmlparser2", "linkedom", "p-queue", "lru-cache"],
  ...["meilisearch", "meilisearch/token", "@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio"],
  ...["@modelcontextprotocol/server", "@modelcontextprotocol/server/stdio"],
];

/** What another path of a listed package leads to: it would bring a second copy of the package's classes. */
const refusal = "refusal.cjs";
const refusalText = 'throw new Error("A path of a package that is bundled for tests: list it in scripts/test-packages.js.");\n';

const root = fileURLToPath(new URL("..", import.meta.url));
const made = "test-packages-";
const fileOf = (name, extension) => `${name.replace("@", "").replaceAll("/", "-")}.${extension}`;

/**
 * For Jest's `moduleNameMapper`: where the packages are found. Made now if they are not yet.
 * @returns {Promise<Record<string, string>>}
 */
export async function testPackages() {
  const folder = join(root, "dist", made + fingerprint());
  if (!existsSync(folder)) await makeFolder(folder);
  const entries = [...commonJsPackages.map((name) => [name, "cjs"]), ...esModulePackages.map((name) => [name, "mjs"])];
  const mapped = entries.map(([name, extension]) => [`^${name}$`, join(folder, fileOf(name, extension))]);
  const otherPaths = `^(?:${entries.map(([name]) => name).join("|")})/(?!package\\.json$)`;
  return Object.fromEntries([...mapped, [otherPaths, join(folder, refusal)]]);
}

/** Of what is installed (npm's own list of it, or else of what should be) and of how the files are made. */
function fingerprint() {
  const installed = ["node_modules/.package-lock.json", "package-lock.json"].map((name) => join(root, name)).find(existsSync);
  const hash = createHash("sha256").update(process.version);
  for (const file of [installed, fileURLToPath(import.meta.url)]) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** Makes them beside their place and renames them then, so that two runs may begin at once. */
async function makeFolder(folder) {
  const dist = join(root, "dist");
  mkdirSync(dist, { recursive: true });
  const draft = mkdtempSync(join(dist, `draft-${made}`));
  try {
    const bundles = [...(await Promise.all(commonJsPackages.map((name) => bundleCommonJs(name, draft)))), await bundleEsModules(draft)];
    requireOneOfEach(bundles);
    writeFileSync(join(draft, refusal), refusalText);
    renameSync(draft, folder);
    const outdated = readdirSync(dist).filter((name) => name.startsWith(made) && join(dist, name) !== folder);
    for (const name of outdated) rmSync(join(dist, name), { recursive: true, force: true });
  } catch (thrown) {
    // Another run was faster, and what it made is as good.
    if (!existsSync(folder)) throw thrown;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Conditions are Node's alone: esbuild would add "module", by which a package may give other code than it gives to Node. */
const asInNode = { bundle: true, platform: "node", target: "node20", conditions: ["node"], metafile: true, logLevel: "error" };

function bundleCommonJs(name, folder) {
  const whole = `whole-${fileOf(name, "cjs")}`;
  // In two steps, because Jest searches a module for the names of its exports, and follows a plain re-export: the object has them anyway.
  writeFileSync(join(folder, fileOf(name, "cjs")), `const whole = require("./${whole}");\nmodule.exports = whole;\n`);
  return build({
    ...asInNode,
    format: "cjs",
    stdin: { contents: `module.exports = require(${JSON.stringify(name)});`, resolveDir: root },
    outfile: join(folder, whole),
    plugins: [leaveOut((path) => path !== name && commonJsPackages.includes(path)), leaveMissing],
  });
}

async function bundleEsModules(folder) {
  const entries = join(folder, "entries");
  mkdirSync(entries);
  for (const name of esModulePackages) {
    const exported = Object.keys(await import(name)).filter((key) => /^[\w$]+$/.test(key));
    writeFileSync(join(entries, fileOf(name, "mjs")), `export { ${exported.join(", ")} } from ${JSON.stringify(name)};\n`);
  }
  return build({
    ...asInNode,
    format: "esm",
    splitting: true,
    entryPoints: esModulePackages.map((name) => join(entries, fileOf(name, "mjs"))),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    // Parts of these packages are CommonJS: what they require of Node's own modules.
    banner: { js: 'import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);' },
    plugins: [leaveOut((path) => commonJsPackages.includes(path)), leaveMissing],
  });
}

const leaveOut = (isLeftOut) => ({
  name: "leave out",
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[^./]/ }, ({ path }) => (isLeftOut(path) ? { path, external: true } : undefined));
  },
});

/** Drivers and the like that a package uses where they are installed: requiring them fails when it comes to that, as it would. */
const leaveMissing = {
  name: "leave missing",
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === leaveMissing || from.kind === "entry-point") return undefined;
      const { errors } = await resolve(path, { ...from, pluginData: leaveMissing });
      return errors.length > 0 ? { path, external: true } : undefined;
    });
  },
};

/** Throws when a file of one of the packages has got into two bundles: objects of the two would not be `instanceof` each other's classes. */
function requireOneOfEach(bundles) {
  const listed = [...commonJsPackages, ...esModulePackages];
  const seen = new Set();
  for (const { metafile } of bundles)
    for (const file of Object.keys(metafile.inputs)) {
      const inside = file.split("node_modules/").at(-1);
      if (!listed.some((name) => inside.startsWith(`${name}/`))) continue;
      if (seen.has(file)) throw new Error(`${inside} is in two bundles of test packages.`);
      seen.add(file);
    }
}
