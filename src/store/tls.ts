/** Builds TLS options. `sslmode` and the files have the same meaning as in libpq. */

import { readFile, stat } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, checkServerIdentity } from "node:tls";
import { hasCode } from "../base/error-code.js";
import type { StoreAddress } from "./address.js";
import { StoreError } from "./errors.js";

/** libpq's name for the system's trusted certificate authorities. */
const systemAuthorities = "system";

/**
 * Returns the options to try, in order. False means an unencrypted connection.
 * @throws StoreError `store_denied` if a file can't be read
 */
export async function readTlsOptions(address: StoreAddress): Promise<(ConnectionOptions | false)[]> {
  switch (address.tls.mode) {
    case "disable":
      return [false];
    case "allow":
      return [false, await readEncryption(address)];
    case "prefer":
      return [await readEncryption(address), false];
    default:
      return [await readEncryption(address)];
  }
}

async function readEncryption({ host, tls }: StoreAddress): Promise<ConnectionOptions> {
  const ca =
    tls.caFile === systemAuthorities ? undefined : await readTlsFile("sslrootcert", tls.caFile, "root.crt");
  const cert = await readTlsFile("sslcert", tls.certificateFile, "postgresql.crt");
  const key = cert === undefined ? undefined : await readTlsFile("sslkey", tls.keyFile, "postgresql.key");
  const files = { ca, cert, key };
  switch (tls.mode) {
    case "verify-full":
      // For an IP address, the driver passes no host name, so Node.js would check "localhost".
      return {
        ...files,
        rejectUnauthorized: true,
        checkServerIdentity: (_, peer) => checkServerIdentity(host, peer),
      };
    case "verify-ca":
      return { ...files, rejectUnauthorized: true, checkServerIdentity: () => undefined };
    case "require":
      // Like libpq, verify the server only if a root certificate is available.
      return { ...files, rejectUnauthorized: ca !== undefined, checkServerIdentity: () => undefined };
    default:
      return { ...files, rejectUnauthorized: false, checkServerIdentity: () => undefined };
  }
}

/**
 * Reads the file at `path`. Without a path, reads libpq's default file; returns undefined if that file
 * doesn't exist.
 */
async function readTlsFile(
  parameter: string,
  path: string | undefined,
  defaultName: string,
): Promise<string | undefined> {
  const file = path ?? join(homedir() || userInfo().homedir, ".postgresql", defaultName);
  try {
    if (parameter === "sslkey") await assertPrivate(file);
    return await readFile(file, "utf8");
  } catch (cause) {
    const isMissing = hasCode(cause, "ENOENT");
    if (path === undefined && isMissing) return undefined;
    if (cause instanceof StoreError) throw cause;
    throw new StoreError("store_denied", `${parameter}: ${file} can't be read`, { cause });
  }
}

/** Like libpq, refuses a private key that other users can read. */
async function assertPrivate(file: string): Promise<void> {
  const { mode, uid } = await stat(file);
  const allowed = uid === 0 ? 0o640 : 0o600;
  if (process.platform === "win32" || (mode & 0o777 & ~allowed) === 0) return;
  throw new StoreError("store_denied", `sslkey: ${file} can be read by other users`, {
    hint: `restrict its permissions: chmod 600 ${file}`,
  });
}
