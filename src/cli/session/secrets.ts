import { createMask, type Mask } from "../../client/masking.js";

/** Shorter ones would take ordinary words with them. */
const shortest = 4;

/** What was typed or read as a secret in this run: it must not be written anywhere, whatever brought it there. */
export interface Secrets {
  add(value: string): void;
  readonly mask: Mask;
}

export function createSecrets(): Secrets {
  const values: string[] = [];
  let mask: Mask = (text) => text;
  return {
    add(value) {
      if (value.length < shortest) return;
      values.push(value);
      mask = createMask(values);
    },
    mask: (text) => mask(text),
  };
}
