import { type Fields, normalized, normalizedText } from "../../../write/fields.js";
import type { ImportContact } from "./import-contact.js";

/**
 * Property that matches a row to a contact. `name` limits matches by phone number or email to contacts with
 * the same name.
 */
export type MatchKey = "phone" | "email" | "name";

/** Returns the contact in a row or a response; missing and malformed fields are empty. */
export function contactOf(fields: Fields): ImportContact {
  const { first_name, last_name, phone_numbers, emails } = fields;
  return {
    first_name: typeof first_name === "string" ? first_name : "",
    last_name: typeof last_name === "string" ? last_name : "",
    phone_numbers: textsIn(phone_numbers),
    emails: textsIn(emails),
  };
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}

export type Name = Pick<ImportContact, "first_name" | "last_name">;

export function nameText({ first_name, last_name }: Name): string {
  return `${first_name} ${last_name}`.trim();
}

/**
 * Returns whether two names belong to different contacts. Ignores case. If one of the names has no last name,
 * compares only the first names.
 */
export function hasDifferentName(left: Name, right: Name): boolean {
  if (normalizedText(nameText(left)) === normalizedText(nameText(right))) return false;
  const [leftLast, rightLast] = [normalizedText(left.last_name), normalizedText(right.last_name)];
  if (leftLast !== "" && rightLast !== "" && leftLast !== rightLast) return true;
  return normalizedText(left.first_name) !== normalizedText(right.first_name);
}

/** Returns the fields by which a contact is matched, as input for `keysOf`; empty if it can't be matched. */
export function identityOf(contact: ImportContact, match: readonly MatchKey[]): Fields {
  const { first_name, last_name, phone_numbers, emails } = contact;
  const numbers = match.includes("phone") && phone_numbers.length > 0 ? { phone_numbers } : {};
  const isByEmail = match.includes("email") || !("phone_numbers" in numbers);
  const addresses = isByEmail && emails.length > 0 ? { emails } : {};
  const lists = { ...numbers, ...addresses };
  if (Object.keys(lists).length === 0 || !match.includes("name")) return lists;
  return { ...lists, first_name, last_name };
}

/**
 * `lookup` contains the keys that `match` specifies, or only emails if the contact lacks such keys. `indexed`
 * always contains the emails.
 */
export function findMatchKeys(
  contact: ImportContact,
  match: readonly MatchKey[],
): { indexed: readonly string[]; lookup: readonly string[] } {
  const name = match.includes("name") ? `|${normalizedText(nameText(contact))}` : "";
  const phones = contact.phone_numbers.map(
    (entry) => `p${String(normalized("phone_numbers", entry))}${name}`,
  );
  const emails = contact.emails.map((entry) => `e${String(normalized("emails", entry))}${name}`);
  const matchKeys = [...(match.includes("phone") ? phones : []), ...(match.includes("email") ? emails : [])];
  if (matchKeys.length === 0) return { indexed: emails, lookup: emails };
  return { indexed: [...(match.includes("phone") ? phones : []), ...emails], lookup: matchKeys };
}
