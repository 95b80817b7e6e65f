import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../helpers/ports.js";

/** A PostgreSQL server of the tests, on loopback and on a socket in its own directory. */
export interface PostgresServer {
  readonly port: number;
  /** Path of the certificate of the authority that signed the server's certificate. */
  readonly caFile: string;
  /** Address of a new schema, for `VOXCTL_STORE`. */
  address(schema: string, user?: string): string;
  /** Runs SQL as the owner and returns its output, one line per row. */
  sql(text: string): string;
  dump(schema: string): string;
  restore(dump: string): void;
  stop(): void;
  start(): void;
  /**
   * Restarts on a new timeline, like a standby that took over. `loss` removes the changes that the standby
   * had not received.
   */
  failOver(loss: string): void;
  remove(): void;
}

function createCertificates(folder: string): void {
  const openssl = (...parameters: string[]) =>
    execFileSync("openssl", parameters, { cwd: folder, stdio: "ignore" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...key,
    "-keyout",
    "ca.key",
    "-out",
    "ca.crt",
    "-subj",
    "/CN=test authority",
    "-days",
    "2",
  );
  openssl("req", ...key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=store");
  writeFileSync(join(folder, "names"), "subjectAltName=IP:127.0.0.1\n");
  const authority = [
    "-CA",
    "ca.crt",
    "-CAkey",
    "ca.key",
    "-CAcreateserial",
    "-days",
    "2",
    "-extfile",
    "names",
  ];
  openssl("x509", "-req", "-in", "server.csr", "-out", "server.crt", ...authority);
  chmodSync(join(folder, "server.key"), 0o600);
}

/**
 * Returns the directory of PostgreSQL's programs, which Debian keeps out of PATH; undefined if it is missing.
 */
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

/** @param options.isSecured encrypts connections over TCP and requires passwords for them */
export async function startPostgres(
  programs: string,
  { isSecured = false }: { isSecured?: boolean } = {},
): Promise<PostgresServer> {
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
  const caFile = join(folder, "ca.crt");
  const tls = `-c ssl=on -c ssl_cert_file=${folder}/server.crt -c ssl_key_file=${folder}/server.key`;
  const control = (...parameters: string[]) => controlAt("127.0.0.1", ...parameters);
  /** @param addresses TCP addresses of the server; if empty, it listens only on the socket */
  const controlAt = (addresses: string, ...parameters: string[]) => {
    const options = `-p ${port} -k ${folder} -F -c listen_addresses='${addresses}' ${isSecured ? tls : ""}`;
    const [file = "", ...rest] = [...prefix, join(programs, "pg_ctl"), "-D", data, "-o", options];
    // The server would keep inherited pipes open.
    spawnSync(file, [...rest, "-l", join(folder, "log"), "-w", ...parameters], {
      cwd: folder,
      stdio: "ignore",
    });
  };
  as("initdb", ["-D", data, "-U", "owner", "-A", "trust", "--no-sync"]);
  if (isSecured) {
    createCertificates(folder);
    if (isRoot) execFileSync("chown", ["postgres", join(folder, "server.key")]);
    appendFileSync(join(data, "postgresql.conf"), "password_encryption = 'scram-sha-256'\n");
    writeFileSync(
      join(data, "pg_hba.conf"),
      "local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n",
    );
  }
  control("start");
  const at = ["-h", folder, "-p", String(port), "-U", "owner"];
  return {
    port,
    caFile,
    address: (schema, user = "owner") => `postgres://${user}@127.0.0.1:${port}/postgres?schema=${schema}`,
    sql: (text) => as("psql", [...at, "-d", "postgres", "-qtA", "-c", text]),
    dump: (schema) => as("pg_dump", [...at, "-n", schema, "postgres"]),
    restore: (dump) => void as("psql", [...at, "-d", "postgres", "-q", "-v", "ON_ERROR_STOP=1"], dump),
    stop: () => control("stop", "-m", "immediate"),
    start: () => control("start"),
    failOver(loss) {
      const file = as("psql", [
        ...at,
        "-d",
        "postgres",
        "-qtAc",
        "SELECT pg_walfile_name(pg_current_wal_lsn())",
      ]).trim();
      control("stop", "-m", "fast");
      const [timeline, log, segment] = [file.slice(0, 8), file.slice(8, 16), file.slice(16)];
      const hex = (value: string, more: number) =>
        (Number.parseInt(value, 16) + more).toString(16).toUpperCase().padStart(8, "0");
      as("pg_resetwal", ["-D", data, "-l", `${hex(timeline, 1)}${log}${hex(segment, 4)}`]);
      controlAt("", "start");
      as("psql", [...at, "-d", "postgres", "-q", "-c", loss]);
      control("stop", "-m", "fast");
      control("start");
    },
    remove() {
      control("stop", "-m", "immediate");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
