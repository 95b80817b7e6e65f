import { isE164 } from "../../contract/primitives.js";
/** A number without separators: an international number, or a national number without a country code. */
export interface Destination {
  type: "international" | "national";
  /** `international`: the E.164 number. `national`: the digits without the leading 0. */
  number: string;
}

const separators = /[\s\-./()]/gu; // D-normalize

/**
 * Normalizes a number as far as possible without the assistant's country (D-normalize,
 * public.operations.12d).
 * @returns undefined if the text can't be a phone number
 */
export function parseDestination(text: string): Destination | undefined {
  const bare = text.replace(separators, "");
  if (bare.startsWith("+") || bare.startsWith("00")) {
    const number = bare.startsWith("+") ? bare : `+${bare.slice(2)}`;
    return isE164(number) ? { type: "international", number } : undefined;
  }
  if (!/^\d+$/.test(bare)) return undefined;
  return { type: "national", number: bare.startsWith("0") ? bare.slice(1) : bare };
}

/**
 * Returns the E.164 number that is reached by dialing the destination from the number `caller`.
 * @returns undefined for an invalid number, or for a national number if the caller's country is unknown
 */
export function toInternationalNumber(caller: string | null, destination: Destination): string | undefined {
  if (destination.type === "international") return destination.number;
  const country = caller === null ? undefined : parseCountryCode(caller);
  const number = `+${country}${destination.number}`;
  return country !== undefined && isE164(number) ? number : undefined;
}

/** Country codes of one or two digits (ITU-T E.164). All other country codes have three digits. */
const shortCodes = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

function parseCountryCode(number: string): string {
  return shortCodes.exec(number)?.[1] ?? number.slice(1, 4);
}
