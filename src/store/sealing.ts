/** Encrypts runs, fleets and blobs. The store never contains their plaintext. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Random } from "../base/random.js";
import { StoreError } from "./errors.js";

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const markBytes = 4;

export interface Sealer {
  /** @param place identifies the record; the content can't be decrypted as part of another record */
  seal(content: Uint8Array, place: readonly (string | number)[]): Buffer;
  /**
   * @throws StoreError `store_damaged` if the content was changed or moved; `store_key_wrong` if another key
   *   encrypted it
   */
  open(sealed: Uint8Array, place: readonly (string | number)[]): Buffer;
  /** A store keeps this value to recognize its key. */
  readonly check: Buffer;
  isKeyOf(check: Buffer): boolean;
}

/**
 * Parses store keys. The first key encrypts; all keys can decrypt.
 * @throws StoreError `store_key_wrong`
 */
export function parseStoreKeys(text: string, source: string): Buffer[] {
  return text.split(",").map((part) => {
    const key = Buffer.from(part.trim(), "base64url");
    if (key.length === keyBytes) return key;
    throw new StoreError(
      "store_key_wrong",
      `invalid ${source}: expected a key that \`voxctl store init\` printed`,
    );
  });
}

export function createStoreKey(random: Random): string {
  return random.bytes(keyBytes).toString("base64url");
}

export function createSealer(keys: readonly Buffer[], storeId: string, random: Random): Sealer {
  const derived = keys.map((key) => ({
    key: derive(key, storeId, "content"),
    check: derive(key, storeId, "check"),
    mark: createHash("sha256").update(key).update(storeId).digest().subarray(0, markBytes),
  }));
  const [current] = derived;
  if (current === undefined) throw new RangeError("missing store key");
  return {
    check: current.check,
    isKeyOf: (check) => derived.some((entry) => entry.check.equals(check)),
    seal(content, place) {
      const nonce = random.bytes(nonceBytes);
      const cipher = createCipheriv("aes-256-gcm", current.key, nonce);
      cipher.setAAD(Buffer.from(JSON.stringify([storeId, ...place])));
      const sealed = Buffer.concat([cipher.update(gzipSync(content, { level: 1 })), cipher.final()]);
      return Buffer.concat([current.mark, nonce, cipher.getAuthTag(), sealed]);
    },
    open(sealed, place) {
      const bytes = Buffer.from(sealed);
      const mark = bytes.subarray(0, markBytes);
      const opener = derived.find((entry) => entry.mark.equals(mark));
      if (opener === undefined)
        throw new StoreError(
          "store_key_wrong",
          "the store contains data that was encrypted with another store key",
          {
            hint: "specify both keys: VOXCTL_STORE_KEY=NEW,OLD",
          },
        );
      const nonce = bytes.subarray(markBytes, markBytes + nonceBytes);
      const tag = bytes.subarray(markBytes + nonceBytes, markBytes + nonceBytes + tagBytes);
      try {
        const decipher = createDecipheriv("aes-256-gcm", opener.key, nonce);
        decipher.setAAD(Buffer.from(JSON.stringify([storeId, ...place])));
        decipher.setAuthTag(tag);
        const rest = bytes.subarray(markBytes + nonceBytes + tagBytes);
        return gunzipSync(Buffer.concat([decipher.update(rest), decipher.final()]));
      } catch (cause) {
        throw new StoreError(
          "store_damaged",
          `can't read ${place.join(" ")}: the data in the store was changed`,
          {
            hint: "restore the database from a backup, or discard the run",
            cause,
          },
        );
      }
    },
  };
}

function derive(key: Buffer, storeId: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, storeId, `voxctl store ${purpose}`, keyBytes));
}
