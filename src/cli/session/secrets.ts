import { createMask, type Mask } from "../../client/masking.js";

/** Shorter ones would take ordinary words with them, as would what an unset variable leaves where a key should be. */
const shortest = 4;

/** Secrets that were typed or read in this run: they must not be written anywhere, whatever brought them there. */
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
