// Sources load what they need by import(), each module for itself. Bundled like that, every module and every set of
// modules that some share becomes a file, and a start reads dozens of them (0.5 to 1 ms each). So small modules of
// the command line that are loaded lazily are gathered in one file, and only the large parts stay apart.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Loaded apart: by themselves large, or with a large library behind them. */
const apart = [
  "src/cli/run.ts",
  "src/cli/yaml.ts",
  "src/cli/output/table.ts",
  "src/emulator/",
  "src/bulk/",
  "src/client/",
  "src/openapi/",
  "src/mcp/",
];

const lazyImport = /(?<!typeof\s+)\bimport\(\s*"(\.{1,2}\/[^"]+)\.js",?\s*\)/g;
const gathered = "voxctl:gathered";

/** An esbuild plugin. */
export function gatherLazy(root) {
  const isApart = (file) => !existsSync(file) || apart.some((path) => file.startsWith(join(root, path)));

  const targetsIn = (text, folder) =>
    [...text.matchAll(lazyImport)]
      .map((match) => resolve(folder, `${match[1]}.ts`))
      .filter((file) => !isApart(file));

  const nameOf = (file) => file.slice(root.length).replace(/\W/g, "_");

  return {
    name: "gather-lazy",
    setup(build) {
      build.onResolve({ filter: /^voxctl:gathered$/ }, () => ({ path: gathered, namespace: gathered }));
      build.onLoad({ filter: /.*/, namespace: gathered }, async () => {
        const targets = new Set();
        const folder = join(root, "src/cli");
        for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile() || !entry.name.endsWith(".ts")) continue;
          const file = join(entry.parentPath, entry.name);
          for (const target of targetsIn(await readFile(file, "utf8"), dirname(file))) targets.add(target);
        }
        const lines = [...targets]
          .sort()
          .map((file) => `export * as ${nameOf(file)} from ${JSON.stringify(file)};`);
        return { contents: lines.join("\n"), loader: "ts", resolveDir: root };
      });
      build.onLoad({ filter: /[\\/]src[\\/]cli[\\/].*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        const contents = text.replace(lazyImport, (whole, specifier) => {
          const file = resolve(dirname(path), `${specifier}.ts`);
          return isApart(file) ? whole : `import("${gathered}").then((all) => all.${nameOf(file)})`;
        });
        return { contents, loader: "ts" };
      });
    },
  };
}
