import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hasCode } from "../../base/error-code.js";
import type { Random } from "../../base/random.js";
import { UnusableFileError } from "./schema.js";

const keyBytes = 32;

/**
 * Returns the random key with which the emulator encrypts secrets and from which it derives the seeded API
 * keys. Two processes that start at the same time get the same key.
 * @throws UnusableFileError if the key file contains no key or can't be read
 */
export function readFileKey(databasePath: string, random: Random): { key: Buffer; isNew: boolean } {
  const path = `${databasePath}.key`;
  const existing = readKey(path);
  if (existing) return { key: existing, isNew: false };
  const draft = `${path}.${random.bytes(6).toString("hex")}`;
  writeFileSync(draft, random.bytes(keyBytes), { mode: 0o600, flag: "wx" });
  chmodSync(draft, 0o600);
  let isNew = true;
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
    isNew = false;
  } finally {
    rmSync(draft, { force: true });
  }
  const key = readKey(path);
  if (!key)
    throw new UnusableFileError(
      `invalid emulator key file ${path}: expected ${keyBytes} bytes; move it to another directory`,
    );
  return { key, isNew };
}

function readKey(path: string): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") return undefined;
    const reason = code === "EISDIR" ? "it is a directory" : "it can't be read";
    throw new UnusableFileError(`${path} can't be used: ${reason}`, { cause: error });
  }
  return bytes.length === keyBytes ? bytes : undefined;
}
