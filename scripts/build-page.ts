/** Bundles the playground's page into dist/playground/ui, where the playground's server finds it. Part of `npm run build`. */
import { copyFile, mkdir } from "node:fs/promises";
import { build } from "esbuild";

const source = "playground/ui";
const target = "dist/playground/ui";

await mkdir(target, { recursive: true });
await build({
  entryPoints: { app: `${source}/main.tsx`, style: `${source}/styles/index.css` },
  outdir: target,
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  sourcemap: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
for (const file of ["index.html", "favicon.svg"]) await copyFile(`${source}/${file}`, `${target}/${file}`);
