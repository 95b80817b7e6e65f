import { mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
const names = ["asker", "writer"] as const;
let folder: Promise<string> | undefined;

/**
 * Returns the path of a helper, compiled to JavaScript, because TypeScript would take four times as long to
 * start.
 */
export async function bundleScript(name: (typeof names)[number]): Promise<string> {
  folder ??= bundle();
  return join(await folder, `${name}.mjs`);
}

async function bundle(): Promise<string> {
  const made = mkdtempSync(join(tmpdir(), "voxctl-processes-"));
  // The bundles import some packages from this directory.
  symlinkSync(join(root, "node_modules"), join(made, "node_modules"));
  await bundleInto(made, root, Object.fromEntries(names.map((name) => [name, `test/helpers/${name}.ts`])));
  return made;
}

/**
 * Bundles TypeScript as modules for Node.
 * @param input the sources, relative to `cwd`, by the names of their modules
 * @param apart sources by module name; each becomes a separate file `NAME.mjs`, which can be rebuilt alone
 */
export async function bundleInto(
  dir: string,
  cwd: string,
  input: Record<string, string>,
  apart: Record<string, string> = {},
): Promise<void> {
  const names = new Map(Object.entries(apart).map(([name, path]) => [join(cwd, path), name]));
  const built = await rolldown({
    cwd,
    input,
    platform: "node",
    transform: { target: "node20.19" },
    plugins: [
      {
        name: "apart",
        resolveId(id, importer) {
          if (importer === undefined || !id.startsWith(".")) return undefined;
          const name = names.get(join(dirname(importer), id).replace(/\.js$/, ".ts"));
          return name === undefined ? undefined : { id: `./${name}.mjs`, external: true };
        },
      },
    ],
    external: ["@photostructure/sqlite", "@napi-rs/keyring"],
    logLevel: "silent",
  });
  await built.write({
    dir,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await built.close();
}
