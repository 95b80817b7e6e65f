import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../helpers/ports.js";

/** A PostgreSQL server of the tests, on loopback and on a socket in its own directory. */
export interface PostgresServer {
  /** Address of a new schema, for `VOXCTL_STORE`. */
  address(schema: string, user?: string): string;
  /** Runs SQL as the owner and returns its output, one line a row. */
  sql(text: string): string;
  dump(schema: string): string;
  restore(dump: string): void;
  stop(): void;
  start(): void;
  /** Ends the server and removes its files. */
  remove(): void;
}

/** The directory of PostgreSQL's programs, which Debian keeps out of PATH. */
export function findPostgres(): string | undefined {
  const versions = "/usr/lib/postgresql";
  try {
    const version = readdirSync(versions)
      .sort((left, right) => Number(right) - Number(left))
      .find((name) => spawnSync(join(versions, name, "bin/postgres"), ["--version"]).status === 0);
    return version === undefined ? undefined : join(versions, version, "bin");
  } catch {
    return undefined;
  }
}

export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "voxctl-pg-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const data = join(folder, "data");
  // The server refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const prefix = isRoot ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  const as = (program: string, parameters: string[], input = "") => {
    const [file = "", ...rest] = [...prefix, join(programs, program), ...parameters];
    return execFileSync(file, rest, {
      cwd: folder,
      encoding: "utf8",
      input,
      stdio: ["pipe", "pipe", "pipe"],
    });
  };
  if (isRoot) execFileSync("chown", ["postgres", folder]);
  const control = (...parameters: string[]) => {
    const options = `-p ${port} -k ${folder} -F -c listen_addresses=127.0.0.1`;
    const [file = "", ...rest] = [...prefix, join(programs, "pg_ctl"), "-D", data, "-o", options];
    // Inherited pipes would stay open as long as the server.
    spawnSync(file, [...rest, "-l", join(folder, "log"), "-w", ...parameters], {
      cwd: folder,
      stdio: "ignore",
    });
  };
  as("initdb", ["-D", data, "-U", "owner", "-A", "trust", "--no-sync"]);
  control("start");
  const at = ["-h", "127.0.0.1", "-p", String(port), "-U", "owner"];
  return {
    address: (schema, user = "owner") => `postgres://${user}@127.0.0.1:${port}/postgres?schema=${schema}`,
    sql: (text) => as("psql", [...at, "-d", "postgres", "-qtA", "-c", text]),
    dump: (schema) => as("pg_dump", [...at, "-n", schema, "postgres"]),
    restore: (dump) => void as("psql", [...at, "-d", "postgres", "-q", "-v", "ON_ERROR_STOP=1"], dump),
    stop: () => control("stop", "-m", "immediate"),
    start: () => control("start"),
    remove() {
      control("stop", "-m", "immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
