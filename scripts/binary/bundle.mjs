// Bundles voxctl as one script for the single executable. The npm package's bundle (scripts/build.mjs) has
// many files, so that a command reads only the files it needs. The executable needs no such split, because
// its code is precompiled and in memory.
import { rolldown } from "rolldown";
import { gatherLibraries } from "../licenses.mjs";

/** The executable contains its compiled code, so it needs no cache directory. */
const withoutCompileCache = "\0without-compile-cache";

/**
 * @param root the project's directory, with a trailing slash
 * @param file path of the script
 * @returns the directories of the bundled libraries
 */
export async function bundleOneFile(root, file) {
  const libraries = new Set();
  const resolved = {
    name: "single-executable",
    resolveId(id) {
      if (id === "../dist/cli.cjs") return `${root}src/cli/main.ts`;
      return id === "./compile-cache.js" ? withoutCompileCache : null;
    },
    load: (id) =>
      id === withoutCompileCache
        ? "export const compileCacheFolder = () => undefined; export const keepCode = undefined;"
        : null,
  };
  const bundle = await rolldown({
    cwd: root,
    input: "scripts/binary/start.cjs",
    platform: "node",
    transform: { target: "node24" },
    // Node 24 contains SQLite, and voxctl loads the keychain library from an embedded file.
    external: ["@photostructure/sqlite", "@napi-rs/keyring"],
    plugins: [resolved, gatherLibraries(libraries)],
    onLog(level, log, handle) {
      // Ignore this warning: the single file also contains the modules that are imported dynamically.
      if (log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") handle(level, log);
    },
  });
  await bundle.write({
    file,
    format: "cjs",
    strict: true,
    codeSplitting: false,
    // A precompiled script can't use import(), but it can require Node's own modules.
    dynamicImportInCjs: false,
    // Keep names: stack traces show them, and the executable has no source map.
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: false } },
    comments: { legal: false },
  });
  await bundle.close();
  return libraries;
}
