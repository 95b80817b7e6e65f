import { hash } from "node:crypto";

const blockBytes = 64;

/**
 * HMAC-SHA-256 (RFC 2104) of a text. By two digests at once: `createHmac` makes a key object for each, which in Node 24
 * takes longer than all the rest of it.
 */
export function hmacOf(key: Uint8Array, text: string): Buffer {
  const short = key.length > blockBytes ? hash("sha256", key, "buffer") : key;
  const inner = hash("sha256", Buffer.concat([padded(short, 0x36), Buffer.from(text)]), "buffer");
  return hash("sha256", Buffer.concat([padded(short, 0x5c), inner]), "buffer");
}

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(blockBytes, pad);
  for (let index = 0; index < key.length; index += 1) block[index] = (key[index] ?? 0) ^ pad;
  return block;
}
