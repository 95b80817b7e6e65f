import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Random } from "../../base/random.js";
import { computeHmac } from "./hmac.js";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

export interface Sealing {
  fileKey: Buffer;
  random: Random;
}

/**
 * Returns nonce, tag and ciphertext of AES-256-GCM as base64url; the nonce is random, so the same text gives
 * a different result each time.
 */
export function encryptSecret({ fileKey, random }: Sealing, text: string): string {
  const nonce = random.bytes(nonceBytes);
  const cipher = createCipheriv(algorithm, fileKey, nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/**
 * Returns undefined if this file's key can't decrypt the secret, usually because the file was copied without
 * its key.
 */
export function decryptSecret({ fileKey }: Pick<Sealing, "fileKey">, stored: string): string | undefined {
  const bytes = Buffer.from(stored, "base64url");
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, fileKey, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
      "utf8",
    );
  } catch {
    return undefined;
  }
}

export type Headers = Readonly<Record<string, unknown>>;

/** Stored headers contain all encrypted values under this name, which no header can have. */
const sealedValues = "";

/**
 * Header values may be tokens. All values of a row are encrypted as one text, so that a list decrypts only
 * one text for each row.
 */
export function encryptHeaders(sealing: Sealing, headers: Headers): Record<string, string> {
  // Headers never have an empty name, but a field named `headers` in a recorded write can contain any object.
  // Encrypt each value of such an object separately.
  if (Object.hasOwn(headers, sealedValues))
    return mapped(headers, (value) => encryptSecret(sealing, String(value)));
  const values = Object.values(headers).map(String);
  if (values.length === 0) return {};
  const sealed = encryptSecret(sealing, JSON.stringify(values));
  return { ...mapped(headers, () => ""), [sealedValues]: sealed };
}

export const unreadableHeader = "(unreadable: the emulator database was copied without its key)";

export function decryptHeaders(sealing: Pick<Sealing, "fileKey">, stored: Headers): Record<string, string> {
  const names = Object.keys(stored).filter((name) => name !== sealedValues);
  const [first] = names;
  // Older versions of voxctl encrypted each header separately.
  if (first === undefined || stored[first] !== "")
    return mapped(stored, (value) => decryptSecret(sealing, String(value)) ?? unreadableHeader);
  const opened = decryptSecret(sealing, String(stored[sealedValues]));
  const values: unknown = opened === undefined ? undefined : JSON.parse(opened);
  return Object.fromEntries(
    names.map((name, index) => [name, Array.isArray(values) ? String(values[index]) : unreadableHeader]),
  );
}

/** Keeps all names, even `__proto__`. */
function mapped(headers: Headers, map: (value: unknown) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(value)]));
}

/** Derives the control interface's token from the file's key, so that the token is never stored. */
export function deriveControlToken(fileKey: Buffer): string {
  return computeHmac(fileKey, "control token").toString("base64url").slice(0, 32);
}
