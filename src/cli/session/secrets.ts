import { createMask, type Mask } from "../../client/masking.js";

/** Shorter secrets are not masked, because they may occur in ordinary words. */
const shortest = 4;

/** Secrets that were typed or read in this run. They must never be printed, regardless of their source. */
export interface Secrets {
  add(value: string): void;
  readonly mask: Mask;
}

export function createSecrets(): Secrets {
  const values: string[] = [];
  let mask: Mask = (text) => text;
  return {
    add(value) {
      if (value.length < shortest || /^(?:null|true|false|undefined)$/.test(value)) return;
      values.push(value);
      mask = createMask(values);
    },
    mask: (text) => mask(text),
  };
}
