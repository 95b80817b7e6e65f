// Bundles the sources into dist/, split into files so that a command loads only the code it uses. Also writes
// the libraries' types, source maps, and the licenses of bundled packages. Builds in a second directory and
// then renames that directory to dist/, so that dist/ is always complete.
//
// The bundle is CommonJS: Node loads it in half the time of ES modules, which saves a fifth of a short
// command. The libraries are modules that re-export it.
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { chunkNames, withoutCycles } from "./chunks.mjs";
import { writeDeclarations } from "./declarations.mjs";
import { gatherLibraries, libraryFolder, licenseFile, licenseText } from "./licenses.mjs";
import { commanderWithoutPrograms, undiciWithoutFetch, yamlWithoutTrace } from "./smaller-libraries.mjs";

/** Fails the build on an unresolved import. Otherwise, only the start of voxctl would fail. */
function refuseUnresolved(level, log, handle) {
  if (log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
  // Ignore this warning: a module that is imported both statically and dynamically needs no separate file.
  if (log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") handle(level, log);
}

/** Writes, for each library, an ES module with the library's exports. */
function modulesFor(...names) {
  return {
    name: "modules",
    generateBundle(_, bundle) {
      for (const name of names) {
        const { exports } = this.getModuleInfo(bundle[`${name}.cjs`].facadeModuleId);
        this.emitFile({
          type: "asset",
          fileName: `${name}.js`,
          source: `import library from "./${name}.cjs";\nexport const { ${exports.join(", ")} } = library;\n`,
        });
      }
    },
  };
}

/** Removes the sources of libraries from the source maps. Keeps voxctl's sources, because the package contains no other copy. */
const ownSourcesOnly = {
  name: "own-sources-only",
  generateBundle(_, bundle) {
    for (const asset of Object.values(bundle)) {
      if (asset.type !== "asset" || !asset.fileName.endsWith(".map")) continue;
      const map = JSON.parse(asset.source);
      map.sourcesContent = map.sources.map((source, index) =>
        libraryFolder(source) === undefined ? map.sourcesContent[index] : null,
      );
      asset.source = JSON.stringify(map);
    }
  },
};

/** Libraries that programs can import: `voxctl/NAME` is built from `src/library/NAME.ts`. */
const libraries = ["emulator", "client", "node-test", "vitest"];
/** Libraries of the bundle. vitest is not CommonJS, so the library that imports it is built separately. */
const bundledLibraries = ["emulator", "client", "node-test", "test-emulators"];
const input = {
  cli: "src/cli/main.ts",
  ...Object.fromEntries(bundledLibraries.map((name) => [name, `src/library/${name}.ts`])),
};
const root = fileURLToPath(new URL("..", import.meta.url));
const draft = `${root}dist-${process.pid}`;
const former = `${draft}-former`;
const bundled = new Set();
const gather = gatherLibraries(bundled);

try {
  execFileSync(process.execPath, ["--import", "tsx", "scripts/generate-modules.ts", "--documents", draft], {
    cwd: root,
    stdio: "inherit",
  });
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: "node",
    transform: { target: "node20.19" },
    plugins: [
      yamlWithoutTrace,
      commanderWithoutPrograms,
      undiciWithoutFetch,
      withoutCycles,
      modulesFor(...bundledLibraries),
      gather,
      ownSourcesOnly,
    ],
    // Native code can't be bundled.
    external: ["@photostructure/sqlite", "@napi-rs/keyring", "pg", "pg-boss"],
    preserveEntrySignatures: "allow-extension",
    onLog: refuseUnresolved,
    // Omit these modules: they contain tables of all encodings. Only the editor prompt needs them, and voxctl
    // has no editor prompt.
    treeshake: { moduleSideEffects: [{ test: /@inquirer\/external-editor|iconv-lite/, sideEffects: false }] },
  });
  await bundle.write({
    dir: draft,
    format: "cjs",
    // On Node 20, import() does not work in code that bin/compile-cache.js has cached.
    dynamicImportInCjs: false,
    strict: true,
    minify: true,
    // Write only ASCII. A single character outside Latin-1 doubles the memory and time that V8 needs for a file.
    charset: "ascii",
    sourcemap: true,
    comments: { legal: false },
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkNames(root, Object.values(input)), debugName: "chunks" }],
    },
  });
  await bundle.close();
  await bundleForVitest();
  await writeDeclarations(root, draft, libraries, [gather]);
  await bundlePage("src/emulator/server/page/browser", "main.tsx", `${draft}/assets/ui`);
  await bundlePage("src/openapi/browser", "main.ts", `${draft}/assets/docs`);
  writeStyles("src/base/design/design.css", `${draft}/assets/design.css`);
  writeFileSync(`${draft}/${licenseFile}`, licenseText(bundled));
  swap();
} finally {
  rmSync(draft, { recursive: true, force: true });
  rmSync(former, { recursive: true, force: true });
}

/**
 * Builds the library `voxctl/vitest`. It imports vitest from the user's project and all other code from the
 * bundle.
 */
async function bundleForVitest() {
  const outside = {
    name: "outside",
    resolveId: (id) => (id === "vitest" || id === "./test-emulators.js" ? { id, external: true } : null),
  };
  const bundle = await rolldown({
    cwd: root,
    input: "src/library/vitest.ts",
    platform: "node",
    plugins: [outside],
    onLog: refuseUnresolved,
  });
  await bundle.write({ file: `${draft}/vitest.js`, format: "esm" });
  await bundle.close();
}

/** Writes the script and the style sheet of a web page. */
async function bundlePage(source, entry, target) {
  const bundle = await rolldown({
    cwd: root,
    input: `${source}/${entry}`,
    platform: "browser",
    transform: { target: "es2022" },
    plugins: [gather],
    onLog: refuseUnresolved,
  });
  await bundle.write({ file: `${target}.js`, format: "esm", minify: true });
  await bundle.close();
  writeStyles(`${source}/style.css`, `${target}.css`);
}

/** Writes a style sheet and its imports as one file, without comments. A page loads only one file, and a report embeds the text. */
function writeStyles(source, target) {
  writeFileSync(target, readStyles(join(root, source)));
}

function readStyles(path) {
  return readFileSync(path, "utf8")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/@import "(.+?)";/g, (_, imported) => readStyles(join(dirname(path), imported)));
}

function swap() {
  try {
    renameSync(`${root}dist`, former);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(draft, `${root}dist`);
}
