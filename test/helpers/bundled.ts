import { mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
const names = ["asker", "writer"] as const;
let folder: Promise<string> | undefined;

/**
 * The path of one of the helpers that run as processes of their own, as JavaScript of these sources: bundled once per
 * worker, they start in a quarter of the time that it takes to load them as TypeScript.
 */
export async function bundled(name: (typeof names)[number]): Promise<string> {
  folder ??= bundle();
  return join(await folder, `${name}.mjs`);
}

async function bundle(): Promise<string> {
  const made = mkdtempSync(join(tmpdir(), "voxctl-processes-"));
  // Where packages that are not bundled are looked for.
  symlinkSync(join(root, "node_modules"), join(made, "node_modules"));
  const built = await rolldown({
    cwd: root,
    input: Object.fromEntries(names.map((name) => [name, `test/helpers/${name}.ts`])),
    platform: "node",
    external: ["@photostructure/sqlite", "@napi-rs/keyring"],
    logLevel: "silent",
  });
  await built.write({
    dir: made,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await built.close();
  return made;
}
