import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url));
const sources = join(root, "src");
/** The directory has the same depth as `src`, so that relative paths of a module stay valid. */
const compiled = join(root, "dist-tests");
const stampName = "stamp.json";

/**
 * Before any test: compiles each source to a JavaScript module that Node loads without Vite. Vite calls a
 * getter for each import, which would take a fifth of the suite's time.
 */
export default async function setup(): Promise<void> {
  const former = join(compiled, stampName);
  if (existsSync(former) && readFileSync(former, "utf8") === readStamp()) return;
  execFileSync(process.execPath, ["--import", "tsx", "scripts/generate-modules.ts"], {
    cwd: root,
    stdio: "inherit",
  });
  const draft = `${compiled}-${process.pid}`;
  const stamp = readStamp();
  await compile(findSources(), draft);
  writeFileSync(join(draft, stampName), stamp);
  rmSync(compiled, { recursive: true, force: true });
  renameSync(draft, compiled);
}

function findSources(): string[] {
  return readdirSync(sources, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(sources, join(entry.parentPath, entry.name)));
}

function readStamp(): string {
  return JSON.stringify(findSources().map((file) => [file, statSync(join(sources, file)).mtimeMs]));
}

async function compile(files: readonly string[], dir: string): Promise<void> {
  const { rolldown } = await import("rolldown");
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ""), join(sources, file)])),
    platform: "node",
    transform: { target: "node20.19" },
    treeshake: false,
    // Don't inline constants: a mutant (test/mutants/run.ts) replaces only the module of its constant.
    optimization: { inlineConst: false },
    preserveEntrySignatures: "strict",
    // Packages are imported from their directory instead of bundled, except the compiler's own.
    external: (id) => /^[\w@]/.test(id) && !id.startsWith("@oxc-project/"),
    logLevel: "silent",
  });
  await bundle.write({
    dir,
    format: "esm",
    preserveModules: true,
    preserveModulesRoot: sources,
    sourcemap: "inline",
  });
  await bundle.close();
}

/** Lets tests import the compiled modules instead of the sources. In watch mode, tests import the sources. */
export function compiledSources(): Plugin {
  let watching = false;
  return {
    name: "compiled-sources",
    enforce: "pre",
    configureVitest({ vitest }) {
      watching = vitest.config.watch;
    },
    resolveId(id, importer) {
      if (watching || importer === undefined || !id.startsWith(".")) return undefined;
      const path = join(dirname(importer), id);
      return path.startsWith(sources + sep)
        ? { id: join(compiled, path.slice(sources.length)), external: true }
        : undefined;
    },
  };
}
