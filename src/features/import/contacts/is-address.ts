import { isEmail } from "../../../contract/primitives.js";
import { findNonPhoneReason } from "./non-phone-reasons.js";

/**
 * Returns whether a text is clearly an email address or a phone number, regardless of its column. The number
 * may be invalid.
 */
export function isAddress(text: string): boolean {
  if (text.includes("@")) return isEmail(text);
  return /^[+(0][\d\s()/.-]{6,}$/.test(text) && findNonPhoneReason(text) === undefined;
}
