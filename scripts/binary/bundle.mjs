// voxctl as one script: what the single executable runs. The package's build (scripts/build.mjs) splits it instead,
// since files are read as they are needed; here everything is in memory, compiled beforehand.
import { rolldown } from "rolldown";

/** The executable keeps no compiled code in a folder: it brings it along. */
const withoutCompileCache = "\0without-compile-cache";

/**
 * @param root the project's folder, with a slash at its end
 * @param file where the script goes
 */
export async function bundleOneFile(root, file) {
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
    // Node 24 has its own SQLite; the keychain's library is loaded from its embedded file.
    external: ["@photostructure/sqlite", "@napi-rs/keyring"],
    plugins: [resolved],
    onLog(level, log, handle) {
      // Dynamic imports are also in the single file.
      if (log.code !== "INEFFECTIVE_DYNAMIC_IMPORT") handle(level, log);
    },
  });
  await bundle.write({
    file,
    format: "cjs",
    strict: true,
    codeSplitting: false,
    // Compiled beforehand, a script can import nothing, but require Node's own modules.
    dynamicImportInCjs: false,
    // Names stay, since no source map goes with it: a defect's stack shows them.
    minify: { mangle: false, compress: true, codegen: { removeWhitespace: false } },
    comments: { legal: false },
  });
  await bundle.close();
}
