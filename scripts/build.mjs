// Bundles the sources into dist/: one entry per way in, split so that a command loads only what it uses.
import { existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const entryPoints = Object.entries({
  cli: "src/cli/main.ts",
  emulator: "src/emulator/index.ts",
  client: "src/client/index.ts",
}).filter(([, file]) => existsSync(`${root}${file}`));

rmSync(`${root}dist`, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: Object.fromEntries(entryPoints),
  outdir: "dist",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  minify: true,
  // Names stand in error messages and stack traces that people send in.
  keepNames: true,
  legalComments: "none",
  // Native code can't be bundled.
  external: ["@photostructure/sqlite"],
  // Bundled CommonJS calls require(); a module has none.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  logLevel: "warning",
});
