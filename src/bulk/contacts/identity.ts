import { type Fields, normalized, normalizedText } from "../fields.js";
import type { ImportContact } from "./rows.js";

/**
 * The fields by which a row and a contact can be the same. `name` never suffices: the others count where the name
 * agrees.
 */
export type MatchKey = "phone" | "email" | "name";

/** The contact of a row, or of an answer, as tolerantly as can be: what is missing, or of another shape, is empty. */
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

/** A name as a person says it. */
export function nameText({ first_name, last_name }: Name): string {
  return `${first_name} ${last_name}`.trim();
}

/** Are these two people? A last name that one of them lacks says nothing, nor does the case of letters. */
export function hasDifferentName(left: Name, right: Name): boolean {
  if (normalizedText(nameText(left)) === normalizedText(nameText(right))) return false;
  const [leftLast, rightLast] = [normalizedText(left.last_name), normalizedText(right.last_name)];
  if (leftLast !== "" && rightLast !== "" && leftLast !== rightLast) return true;
  return normalizedText(left.first_name) !== normalizedText(right.first_name);
}

/** The values by which a contact is taken for another, as `keysOf` makes keys of them; empty for one that has none. */
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
 * By what a contact is taken for another: the numbers or e-mails it was asked to match by; without any of these its
 * e-mails. Empty for one that has none: it is known by everything it has, so that a second run finds it again.
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
