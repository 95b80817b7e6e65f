// Writes the declarations of each library as one file. tsc writes a file for each source, and a bundler joins them.
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/**
 * Writes `NAME.d.ts` for each of the libraries `src/library/NAME.ts`.
 * @param root the project's directory, with a trailing slash
 * @param folder output directory
 * @param plugins additional plugins for the bundler
 */
export async function writeDeclarations(root, folder, names, plugins) {
  const separate = `${folder}/types`;
  const tsc = fileURLToPath(import.meta.resolve("typescript/package.json")).replace(
    /package\.json$/,
    "bin/tsc",
  );
  execFileSync(process.execPath, [tsc, "-p", `${root}tsconfig.types.json`, "--outDir", separate], {
    stdio: "inherit",
  });
  for (const name of names) {
    // Bundle one library at a time. Otherwise, the bundler would write shared declarations to another file.
    const bundle = await rolldown({
      // The bundler writes comments with paths relative to this directory. Otherwise, the paths would contain the directory's name, which
      // changes with each build.
      cwd: separate,
      input: { [name]: `${separate}/src/library/${name}.d.ts` },
      external: [/^node:/, "vitest"],
      plugins: [dts({ dtsInput: true, tsconfig: false }), ...plugins],
    });
    await bundle.write({ dir: folder, format: "es", entryFileNames: "[name].ts" });
    await bundle.close();
  }
  rmSync(separate, { recursive: true });
}
