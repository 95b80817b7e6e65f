import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { commanderWithoutPrograms } from "../../scripts/smaller-libraries.mjs";
import { root } from "./servers.mjs";

/** compile-cache.js caches only files whose names end with a hash of eight characters. */
const bundleName = "list-00000000.cjs";

/**
 * Bundles smallest-list.mjs like voxctl: one minified CommonJS file, whose compiled code is cached.
 * @param {string} folder a temporary directory
 * @returns {Promise<string>} the program's path
 */
export async function bundleSmallestList(folder) {
  const program = join(folder, "smallest-list");
  mkdirSync(join(program, "bin"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(program, "node_modules"));
  copyFileSync(`${root}bin/compile-cache.js`, join(program, "bin", "compile-cache.js"));
  const bundle = await rolldown({
    input: `${root}test/bench/smallest-list.mjs`,
    platform: "node",
    external: [/^node:/, "@photostructure/sqlite"],
    plugins: [commanderWithoutPrograms],
  });
  await bundle.write({
    file: join(program, "dist", "chunks", bundleName),
    format: "cjs",
    minify: true,
    codeSplitting: false,
  });
  await bundle.close();
  const path = join(program, "bin", "smallest-list.js");
  writeFileSync(
    path,
    `const { keepCode } = require("./compile-cache.js");
     keepCode(${JSON.stringify(join(program, "compiled-"))} + process.version);
     process.removeAllListeners("warning");
     require("../dist/chunks/${bundleName}").main(process.argv.slice(2));\n`,
  );
  return path;
}
