import { hash, randomBytes } from "node:crypto";

/** Only this file uses the system's randomness. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  bytes(count: number): Buffer;
}

export function systemRandom(): Random {
  return {
    next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
    bytes: (count) => randomBytes(count),
  };
}

/** Returns a number in [0, 1) that depends only on the arguments. */
export function seededDraw(seed: number, ...names: (string | number)[]): number {
  return Number.parseInt(digest(seed, names).slice(0, 12), 16) / 2 ** 48;
}

/** Returns up to 32 bytes that depend only on the arguments. */
export function seededBytes(count: number, seed: number, ...names: (string | number)[]): Buffer {
  return Buffer.from(digest(seed, names), "hex").subarray(0, count);
}

/** Returns a string, because demo data needs thousands of digests and buffers are six times slower. */
function digest(seed: number, names: readonly (string | number)[]): string {
  return hash("sha256", JSON.stringify([seed, ...names]));
}
