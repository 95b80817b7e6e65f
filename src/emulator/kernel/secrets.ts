import { createCipheriv, createDecipheriv } from "node:crypto";
import type { World } from "../world.js";

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/**
 * A secret as it may lie in the file: AES-256-GCM under the key beside the file, as base64url of nonce, tag and
 * ciphertext. The nonce comes from the system's randomness, so the same text never looks the same twice.
 */
export function encryptSecret(world: World, text: string): string {
  const nonce = world.options.random.bytes(nonceBytes);
  const cipher = createCipheriv(algorithm, world.options.fileKey, nonce);
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** The text of a stored secret, or undefined when this file's key does not open it: the file came without its key. */
export function decryptSecret(world: World, stored: string): string | undefined {
  const bytes = Buffer.from(stored, "base64url");
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, world.options.fileKey, bytes.subarray(0, nonceBytes), {
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
