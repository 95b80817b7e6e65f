// Bundles the sources into dist/: one entry per way in, split so that a command loads only what it uses; and writes
// the types of the two libraries. Made beside dist/ and swapped in, so that a half-built one is never seen.
import { execFileSync } from "node:child_process";
import { cpSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { gatherLazy } from "./gather-lazy.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const draft = `${root}dist-${process.pid}`;
const former = `${draft}-former`;

try {
  await build({
    absWorkingDir: root,
    entryPoints: { cli: "src/cli/main.ts", emulator: "src/emulator/index.ts", client: "src/client/index.ts" },
    outdir: draft,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    plugins: [gatherLazy(root)],
    // The build for browsers is the same as an ES module: of CommonJS, an import() in a bundle gets no names.
    alias: { yaml: `${root}node_modules/yaml/browser/index.js` },
    format: "esm",
    platform: "node",
    target: "node20.19",
    minify: true,
    legalComments: "none",
    // Native code can't be bundled.
    external: ["@photostructure/sqlite"],
    // Bundled CommonJS calls require(); a module has none.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    logLevel: "warning",
  });
  const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace(
    /package\.json$/,
    "bin/tsc",
  );
  execFileSync(process.execPath, [tsc, "-p", `${root}tsconfig.types.json`, "--outDir", `${draft}/types`], {
    stdio: "inherit",
  });
  // The page at /docs: read when somebody opens it.
  const viewer = fileURLToPath(import.meta.resolve("rapidoc"));
  cpSync(viewer, `${draft}/assets/rapidoc-min.js`);
  cpSync(`${viewer}.LICENSE.txt`, `${draft}/assets/rapidoc-min.js.LICENSE.txt`);
  swap();
} finally {
  rmSync(draft, { recursive: true, force: true });
  rmSync(former, { recursive: true, force: true });
}

function swap() {
  try {
    renameSync(`${root}dist`, former);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(draft, `${root}dist`);
}
