/**
 * Which driver of SQLite there is: `node:sqlite` where it is stable (Node 24), else @photostructure/sqlite, which has
 * the same API. The day Node 20 and 22 are dropped, the second one goes.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync as DatabaseSyncClass } from "@photostructure/sqlite";

export type DatabaseSync = InstanceType<typeof DatabaseSyncClass>;

export interface Driver {
  DatabaseSync: (new (path: string, options: { timeout: number }) => DatabaseSync) & { prototype: object };
  backup(source: DatabaseSync, destination: string, options: { rate: number }): Promise<number>;
}

/** Loaded once, as any module. */
let binary: { driver: Driver | undefined } | undefined;

/** Node's own needs no search, and what `import()` is bundled as no module loader. */
export async function loadDriver(): Promise<Driver> {
  const major = Number(process.versions.node.split(".")[0]);
  if (major >= 24) {
    const own = process.getBuiltinModule("node:sqlite");
    if (isDriver(own)) return own;
  }
  binary ??= { driver: packedBinary(import.meta.dirname) };
  return binary.driver ?? import("@photostructure/sqlite");
}

/**
 * The package's binary without the package's own code: that looks for it through three files, which are found and
 * compiled with every start, for 6 ms; the rest of it nobody here uses.
 * @param from where it is looked for, and in the folders above, as Node would do
 * @returns undefined where it is not to be had: the package knows what else to try, and what to say
 */
export function packedBinary(from: string): Driver | undefined {
  const package_ = foldersAbove(from)
    .map((folder) => join(folder, "node_modules/@photostructure/sqlite"))
    .find((folder) => existsSync(folder));
  // What was compiled on this machine comes first.
  if (package_ === undefined || existsSync(join(package_, "build"))) return undefined;
  const libc = process.platform === "linux" && existsSync("/etc/alpine-release") ? "musl" : "glibc";
  const name = `prebuilds/${process.platform}-${process.arch}/@photostructure+sqlite.${libc}.node`;
  const loaded: { exports: object } = { exports: {} };
  try {
    process.dlopen(loaded, join(package_, name));
  } catch {
    return undefined;
  }
  return isDriver(loaded.exports) ? loaded.exports : undefined;
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersAbove(above)];
}

function isDriver(module: object | undefined): module is Driver {
  return module !== undefined && "DatabaseSync" in module && "backup" in module;
}
