// Bundles the sources into dist/: one entry per way in, split so that a command loads only what it uses; and writes
// the types of the two libraries. Made beside dist/ and swapped in, so that a half-built one is never seen.
//
// The bundle is CommonJS: node has each of its files at hand in half the time that it takes for a module, which is a
// fifth of a short command. Who imports the libraries gets modules that hand on what is in it.
import { execFileSync } from "node:child_process";
import { cpSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { chunkNames, withoutCycles } from "./chunks.mjs";

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

const root = fileURLToPath(new URL("..", import.meta.url));
const draft = `${root}dist-${process.pid}`;
const former = `${draft}-former`;

try {
  const bundle = await rolldown({
    cwd: root,
    input: { cli: "src/cli/main.ts", emulator: "src/emulator/index.ts", client: "src/client/index.ts" },
    platform: "node",
    transform: { target: "node20.19" },
    plugins: [withoutChildProcess, withoutCycles, modulesFor("emulator", "client")],
    // Native code can't be bundled.
    external: ["@photostructure/sqlite", "@napi-rs/keyring"],
    preserveEntrySignatures: "allow-extension",
    onLog(level, log, handle) {
      // Loaded by import() in one place and at once in another: it is in a file that is there anyway.
      if (log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") handle(level, log);
    },
  });
  await bundle.write({
    dir: draft,
    format: "cjs",
    strict: true,
    minify: true,
    comments: { legal: false },
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: chunkNames(root), debugName: "chunks" }],
    },
  });
  await bundle.close();
  const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace(
    /package\.json$/,
    "bin/tsc",
  );
  execFileSync(process.execPath, [tsc, "-p", `${root}tsconfig.types.json`, "--outDir", `${draft}/types`], {
    stdio: "inherit",
  });
  await bundlePage("src/emulator/ui/browser", `${draft}/assets/ui`);
  await bundlePage("src/openapi/browser", `${draft}/assets/docs`);
  swap();
} finally {
  rmSync(draft, { recursive: true, force: true });
  rmSync(former, { recursive: true, force: true });
}

/** A page for people: a script and a style, read when somebody opens it. */
async function bundlePage(source, target) {
  const bundle = await rolldown({
    cwd: root,
    input: `${source}/main.ts`,
    platform: "browser",
    transform: { target: "es2022" },
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
