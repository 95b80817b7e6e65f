// Bundles the sources into dist/: one entry per way in, split so that a command loads only what it uses; and writes
// the types of the libraries, source maps, and the licences of what is bundled. Made beside dist/ and swapped in, so
// that a half-built one is never seen.
//
// The bundle is CommonJS: node has each of its files at hand in half the time that it takes for a module, which is a
// fifth of a short command. Who imports the libraries gets modules that hand on what is in it.
import { execFileSync } from "node:child_process";
import { cpSync, promises as fsPromises, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { chunkNames, withoutCycles } from "./chunks.mjs";
import { writeDeclarations } from "./declarations.mjs";
import { gatherLibraries, libraryFolder, licenseFile, licenseText } from "./licenses.mjs";

/**
 * commander needs it for commands that are programs of their own, which we have none of; with node:net and what else
 * it loads it costs every start a few milliseconds.
 */
const withoutChildProcess = {
  name: "without-child-process",
  resolveId: (id, importer) =>
    id === "node:child_process" && importer?.includes("/node_modules/commander/") ? "\0nothing" : null,
  load: (id) => (id === "\0nothing" ? "export {};" : null),
};

/** An import that leads nowhere would be left to the start of the program: who runs it would be told then. */
function refuseUnresolved(level, log, handle) {
  if (log.code === "UNRESOLVED_IMPORT") throw new Error(log.message);
  // Loaded by import() in one place and at once in another: it is in a file that is there anyway.
  if (log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") handle(level, log);
}

/** Node loads a dozen modules of its own for it: not before a file is really read or written. */
const fsPromisesWhenUsed = {
  name: "fs-promises-when-used",
  resolveId: (id) => (id === "node:fs/promises" ? "\0fs-promises" : null),
  load: (id) =>
    id === "\0fs-promises"
      ? `import { promises } from "node:fs";\nexport { constants } from "node:fs";\n${fsFunctions.map((name) => `export const ${name} = (...args) => promises.${name}(...args);`).join("\n")}`
      : null,
};
const fsFunctions = Object.keys(fsPromises).filter((name) => typeof fsPromises[name] === "function");

/**
 * What makes zod's schemas of JSON Schemas, for one command, spreads the namespace of all of them: so none could be left
 * out of the file that every start reads. By its name each that nothing uses can.
 */
const zodByName = {
  name: "zod-by-name",
  transform(code, id) {
    if (!id.endsWith("/zod/v4/classic/from-json-schema.js")) return null;
    const checks = readFileSync(id.replace(/[^/]+$/, "checks.js"), "utf8");
    const spread = /const z = \{\s*\.\.\._schemas,\s*\.\.\._checks,\s*iso: _iso,\s*\};/;
    if (!spread.test(code)) throw new Error("zod's from-json-schema.js is another one: see zodByName");
    const nameIn = (name) => (new RegExp(`\\bas ${name}\\b`).test(checks) ? "_checks" : "_schemas");
    const named = code
      .replace(spread, "")
      .replace(/\bz\s*\.\s*(\w+)/g, (_, name) => (name === "iso" ? "_iso" : `${nameIn(name)}.${name}`));
    // Maps hold our own sources only: none is made of this one.
    return { code: named, map: null };
  },
};

/** The YAML parser reads the environment for each token: a fifth of its time. */
const yamlWithoutTrace = {
  name: "yaml-without-trace",
  transform(code, id) {
    if (!id.endsWith("/yaml/dist/parse/parser.js")) return null;
    const trace = "node_process.env.LOG_TOKENS";
    if (!code.includes(trace)) throw new Error("yaml's parser.js has changed: see yamlWithoutTrace");
    return { code: code.replace(trace, "false"), map: null };
  },
};

/** For those who import a library: a module beside it with the names that its source exports. */
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

/** Maps hold our own sources, which the package has nowhere else; those of libraries are for anybody to be had. */
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

/** The modules that others import: `voxctl/NAME` is `src/library/NAME.ts`. */
const libraries = ["emulator", "client", "node-test", "vitest"];
/** Those that are made of the bundle: vitest is no CommonJS module, so what imports it is none either. */
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
  execFileSync(
    process.execPath,
    ["--import", "tsx", "scripts/generate-modules.ts", "--documents", `${draft}-documents`],
    { cwd: root, stdio: "inherit" },
  );
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: "node",
    transform: { target: "node20.19" },
    plugins: [
      withoutChildProcess,
      fsPromisesWhenUsed,
      zodByName,
      yamlWithoutTrace,
      withoutCycles,
      modulesFor(...bundledLibraries),
      gather,
      ownSourcesOnly,
    ],
    // Native code can't be bundled.
    external: ["@photostructure/sqlite", "@napi-rs/keyring"],
    preserveEntrySignatures: "allow-extension",
    onLog: refuseUnresolved,
  });
  await bundle.write({
    dir: draft,
    format: "cjs",
    // Code that is kept (bin/compile-cache.js) can't import() on Node 20: V8 does not keep what says how.
    dynamicImportInCjs: false,
    strict: true,
    minify: true,
    // A byte for each character: a single other one doubles what V8 holds of a file, and how long reading it takes.
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
  await bundlePage("src/emulator/ui/browser", "main.tsx", `${draft}/assets/ui`);
  await bundlePage("src/openapi/browser", "main.ts", `${draft}/assets/docs`);
  writeFileSync(`${draft}/${licenseFile}`, licenseText(bundled));
  cpSync(`${draft}-documents`, draft, { recursive: true });
  swap();
} finally {
  rmSync(draft, { recursive: true, force: true });
  rmSync(`${draft}-documents`, { recursive: true, force: true });
  rmSync(former, { recursive: true, force: true });
}

/** A module that takes what it needs from the bundle, and vitest from the project that runs it. */
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

/** A web page: a script and a style, read when the page is opened. */
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
  cpSync(`${root}${source}/style.css`, `${target}.css`);
}

function swap() {
  try {
    renameSync(`${root}dist`, former);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(draft, `${root}dist`);
}
