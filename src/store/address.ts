/** A store is a schema in a PostgreSQL database. */
import { BulkError } from "../write/errors.js";

type TlsMode = "disable" | "allow" | "prefer" | "require" | "verify-ca" | "verify-full";

export interface StoreAddress {
  /** Host name, or the absolute path of the socket's directory. */
  host: string;
  port: number;
  user: string;
  /** If undefined, the driver uses PGPASSWORD or the password file. */
  password: string | undefined;
  database: string;
  schema: string;
  /** Whether to omit user names, hosts, process IDs and CI job URLs from the store. */
  isAnonymous: boolean;
  tls: {
    mode: TlsMode;
    caFile: string | undefined;
    certificateFile: string | undefined;
    keyFile: string | undefined;
  };
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/;
const parameters = new Set(["schema", "anonymous", "host", "sslmode", "sslrootcert", "sslcert", "sslkey"]);

/**
 * Parses `postgres://USER@HOST[:PORT]/DATABASE[?schema=NAME&sslmode=MODE&sslrootcert=FILE…]`. For a
 * connection through a socket, `host` in the query is the socket's directory.
 * @param source name of the address in messages, such as `VOXCTL_STORE`
 * @throws BulkError `invalid_store`; the message omits the address, which may contain a password
 */
export function parseStoreAddress(text: string, source: string): StoreAddress {
  const invalid = (problem: string) =>
    new BulkError(
      "invalid_store",
      `invalid ${source}: ${problem}`,
      "use postgres://USER@HOST/DATABASE?schema=NAME",
    );
  if (!URL.canParse(text)) throw invalid("expected a URL");
  const url = new URL(text);
  if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
    throw invalid("expected a URL that starts with postgres://");
  for (const name of url.searchParams.keys())
    if (!parameters.has(name)) throw invalid(`unknown parameter "${name}"`);
  const parameter = (name: string) => url.searchParams.get(name) ?? undefined;
  const decode = (part: string) => {
    try {
      return decodeURIComponent(part);
    } catch {
      throw invalid("invalid percent-encoding");
    }
  };
  const database = decode(url.pathname.slice(1));
  const user = decode(url.username);
  if (database === "") throw invalid("missing database name");
  if (user === "") throw invalid("missing user name");
  const schema = parameter("schema") ?? "voxctl";
  // Leave space for the suffix of the queue's schema: pg-boss allows names of up to 50 characters.
  if (!/^[a-z_][a-z0-9_]{0,43}$/.test(schema))
    throw invalid(
      "the name of the schema must consist of a-z, 0-9 and _, not start with a digit, and have at most 44 characters",
    );
  const host = parameter("host") ?? (url.hostname === "" ? "/var/run/postgresql" : url.hostname);
  return {
    host: host.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? 5432 : Number(url.port),
    user,
    password: url.password === "" ? undefined : decode(url.password),
    database,
    schema,
    isAnonymous: parameter("anonymous") === "true",
    tls: {
      mode: readMode(parameter("sslmode"), isLocal(host), invalid),
      caFile: parameter("sslrootcert"),
      certificateFile: parameter("sslcert"),
      keyFile: parameter("sslkey"),
    },
  };
}

/** Returns whether a remote server's name is not verified. */
export function isUnverified({ host, tls }: StoreAddress): boolean {
  return tls.mode !== "verify-full" && !isLocal(host);
}

function isLocal(host: string): boolean {
  return host.startsWith("/") || loopback.test(host);
}

function readMode(
  text: string | undefined,
  isLocalHost: boolean,
  invalid: (problem: string) => BulkError,
): TlsMode {
  switch (text) {
    case undefined:
      return isLocalHost ? "disable" : "verify-full";
    case "disable":
    case "allow":
    case "prefer":
    case "require":
    case "verify-ca":
    case "verify-full":
      return text;
    default:
      throw invalid("sslmode must be disable, allow, prefer, require, verify-ca or verify-full");
  }
}

/** Formats the address for messages, without the password. */
export function formatStoreAddress({ host, port, user, database, schema }: StoreAddress): string {
  const server = host.startsWith("/") ? host : `${host}:${port}`;
  return `${user}@${server}/${database}, schema ${schema}`;
}
