/**
 * Loads the SQLite driver: `node:sqlite` if it is stable (Node 24), otherwise @photostructure/sqlite, which
 * has the same API. The package is optional because it is large. If it is missing, voxctl uses the unstable
 * `node:sqlite` of Node 22.16 and later.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync as DatabaseSyncClass } from "@photostructure/sqlite";

export type DatabaseSync = InstanceType<typeof DatabaseSyncClass>;

export interface Driver {
  DatabaseSync: (new (path: string, options: { timeout: number }) => DatabaseSync) & { prototype: object };
  constants: Record<
    "SQLITE_CHANGESET_NOTFOUND" | "SQLITE_CHANGESET_OMIT" | "SQLITE_CHANGESET_REPLACE",
    number
  >;
  backup(source: DatabaseSync, destination: string, options: { rate: number }): Promise<number>;
}

let binary: { driver: Driver | undefined } | undefined;

export async function loadDriver(): Promise<Driver> {
  const major = Number(process.versions.node.split(".")[0]);
  const own = major >= 24 ? ownDriver() : undefined;
  if (own !== undefined) return own;
  binary ??= { driver: packedBinary(import.meta.dirname) };
  return binary.driver ?? (await importPackage(() => import("@photostructure/sqlite")));
}

export async function importPackage(load: () => Promise<Driver>, own = ownDriver): Promise<Driver> {
  try {
    return await load();
  } catch (error) {
    const driver = own();
    if (driver !== undefined) return driver;
    const reason = "cannot load SQLite: use Node 24, or install voxctl without --omit=optional";
    throw new Error(reason, { cause: error });
  }
}

/** Returns `node:sqlite`; undefined if it lacks required functions, as before Node 22.16. */
function ownDriver(): Driver | undefined {
  const own = process.getBuiltinModule("node:sqlite");
  return isDriver(own) ? own : undefined;
}

/**
 * Loads the package's binary directly, because the package itself takes 6 ms to find it.
 * @param from directory in which the search starts; its parent directories follow, as in Node's search for packages
 * @returns undefined if the binary is not found
 */
export function packedBinary(from: string): Driver | undefined {
  const package_ = foldersAbove(from)
    .map((folder) => join(folder, "node_modules/@photostructure/sqlite"))
    .find((folder) => existsSync(folder));
  // If the package was compiled on this machine, only the package's own code finds the binary.
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
