import { hash, randomBytes } from "node:crypto";

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
  return Number.parseInt(digest(seed, names).slice(0, 12), 16) / 2 ** 48;
}

/** Up to 32 bytes that depend on nothing but the arguments. */
export function seededBytes(count: number, seed: number, ...names: (string | number)[]): Buffer {
  return Buffer.from(digest(seed, names), "hex").subarray(0, count);
}

/** As text: a demo world draws thousands of times, and Node hands out a text six times as quickly as a buffer. */
function digest(seed: number, names: readonly (string | number)[]): string {
  return hash("sha256", JSON.stringify([seed, ...names]));
}
