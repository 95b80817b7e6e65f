import { createMask, type Mask } from "../../client/masking.js";

/** A shorter secret can be part of ordinary words. */
const shortest = 4;

/** Secrets that a user typed or the command read. voxctl never prints them, regardless of their source. */
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
