/** Encryption of everything personal before it leaves the machine: a store sees only ciphertext. */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Random } from "../base/random.js";
import { StoreError } from "./errors.js";

const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const markBytes = 4;

/** Encrypts and decrypts the content of one store. */
export interface Sealer {
  /** @param place what the content belongs to: it can be opened only there */
  seal(content: Uint8Array, place: readonly (string | number)[]): Buffer;
  /** @throws StoreError `store_damaged` if it was changed or moved, `store_key_wrong` for another key */
  open(sealed: Uint8Array, place: readonly (string | number)[]): Buffer;
  /** The value by which a store recognizes its key. */
  readonly check: Buffer;
  /** Returns whether one of the keys is the one of a store with this check value. */
  isKeyOf(check: Buffer): boolean;
}

/**
 * Parses store keys: the first seals, all open.
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

/** Returns a new store key as text. */
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
  if (current === undefined) throw new RangeError("no store key");
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
        throw new StoreError("store_key_wrong", "the store contains data of another store key", {
          hint: "name both keys: VOXCTL_STORE_KEY=NEW,OLD",
        });
      const nonce = bytes.subarray(markBytes, markBytes + nonceBytes);
      const tag = bytes.subarray(markBytes + nonceBytes, markBytes + nonceBytes + tagBytes);
      try {
        const decipher = createDecipheriv("aes-256-gcm", opener.key, nonce);
        decipher.setAAD(Buffer.from(JSON.stringify([storeId, ...place])));
        decipher.setAuthTag(tag);
        const rest = bytes.subarray(markBytes + nonceBytes + tagBytes);
        return gunzipSync(Buffer.concat([decipher.update(rest), decipher.final()]));
      } catch (cause) {
        throw new StoreError("store_damaged", `the store was changed: ${place.join(" ")} can't be read`, {
          hint: "restore the database from a backup, or discard the run",
          cause,
        });
      }
    },
  };
}

function derive(key: Buffer, storeId: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, storeId, `voxctl store ${purpose}`, keyBytes));
}
