import { createHash, randomBytes } from "node:crypto";

/** A source of chance. Nothing outside this file calls the system's. */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  bytes(count: number): Buffer;
}

/** The system's own randomness: for keys, tokens, nonces and jitter. */
export function systemRandom(): Random {
  return {
    next: () => randomBytes(6).readUIntBE(0, 6) / 2 ** 48,
    bytes: (count) => randomBytes(count),
  };
}

/** A draw in [0, 1) that depends on nothing but its arguments, so that a run repeats for a seed. */
export function seededDraw(seed: number, ...names: (string | number)[]): number {
  return seededBytes(6, seed, ...names).readUIntBE(0, 6) / 2 ** 48;
}

/** Up to 32 bytes that depend on nothing but the arguments. */
export function seededBytes(count: number, seed: number, ...names: (string | number)[]): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([seed, ...names]))
    .digest()
    .subarray(0, count);
}
