import { isEmail } from "../../../contract/primitives.js";
import { findNonPhoneReason } from "./non-phone-reasons.js";

/** Returns whether a text in any column is certainly an email or a phone number, valid or not. */
export function isAddress(text: string): boolean {
  if (text.includes("@")) return isEmail(text);
  return /^[+(0][\d\s()/.-]{6,}$/.test(text) && findNonPhoneReason(text) === undefined;
}
