import { hash } from "node:crypto";

const blockBytes = 64;

export type Hmac = (text: string) => Buffer;

/**
 * Computes HMAC-SHA-256 (RFC 2104) without `createHmac`: in Node 24, creating its key object takes longer
 * than the HMAC itself.
 */
export function createKeyedHmac(key: Uint8Array): Hmac {
  const short = key.length > blockBytes ? hash("sha256", key, "buffer") : key;
  const inner = padded(short, 0x36);
  const outer = padded(short, 0x5c);
  // Requesting the digest as a Latin-1 string is twice as fast as requesting a buffer.
  const digest = (pad: Buffer, bytes: Buffer) =>
    Buffer.from(hash("sha256", Buffer.concat([pad, bytes]), "binary"), "binary");
  return (text) => digest(outer, digest(inner, Buffer.from(text)));
}

export function computeHmac(key: Uint8Array, text: string): Buffer {
  return createKeyedHmac(key)(text);
}

function padded(key: Uint8Array, pad: number): Buffer {
  const block = Buffer.alloc(blockBytes, pad);
  for (let index = 0; index < key.length; index += 1) block[index] = (key[index] ?? 0) ^ pad;
  return block;
}
