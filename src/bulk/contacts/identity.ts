import { createHash } from "node:crypto";
import type { ImportContact } from "./rows.js";

/** What a row and a contact can be the same by. `name` is none by itself: the others count where the name agrees. */
export type MatchKey = "phone" | "email" | "name";

/** A contact of the group, as the API has it; fields that it does not send are empty. */
export interface GroupContact extends ImportContact {
  readonly id: string;
}

/** Reads a contact of the API as tolerantly as can be; undefined without an id. */
export function groupContact(value: unknown): GroupContact | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const record: Readonly<Record<string, unknown>> = { ...value };
  const text = (field: string) => (typeof record[field] === "string" ? record[field] : "");
  const list = (field: string): string[] => {
    const entries: unknown = record[field];
    return Array.isArray(entries)
      ? entries.filter((entry): entry is string => typeof entry === "string")
      : [];
  };
  const id = text("id");
  if (id === "") return undefined;
  return {
    id,
    first_name: text("first_name"),
    last_name: text("last_name"),
    phone_numbers: list("phone_numbers"),
    emails: list("emails"),
  };
}

/** Equal for contacts that are the same in all that voxctl writes; the order of numbers and e-mails does not count. */
export function fingerprintOf(contact: ImportContact): string {
  const content = [
    contact.first_name.trim().normalize("NFC"),
    contact.last_name.trim().normalize("NFC"),
    [...contact.phone_numbers].sort(),
    contact.emails.map((email) => email.toLowerCase()).sort(),
  ];
  return createHash("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 27);
}

export interface Keys {
  /** Under which it is found by others. */
  readonly indexed: readonly string[];
  /** By which it looks for others: one hit is enough. */
  readonly wanted: readonly string[];
}

export type Name = Pick<ImportContact, "first_name" | "last_name">;

function plain(text: string): string {
  return text.normalize("NFC").toLowerCase().trim().replace(/\s+/g, " ");
}

/** A name as a person says it. */
export function nameText({ first_name, last_name }: Name): string {
  return `${first_name} ${last_name}`.trim();
}

/** Are these two people? A last name that one of them lacks says nothing, nor does the case of letters. */
export function hasOtherName(one: Name, other: Name): boolean {
  if (plain(nameText(one)) === plain(nameText(other))) return false;
  const [last, otherLast] = [plain(one.last_name), plain(other.last_name)];
  if (last !== "" && otherLast !== "" && last !== otherLast) return true;
  return plain(one.first_name) !== plain(other.first_name);
}

/**
 * By what a contact is taken for another: the numbers or e-mails it was asked to match by; without any of these its
 * e-mails, else everything it has, so that a second run finds it again.
 */
export function keysOf(contact: ImportContact, match: readonly MatchKey[]): Keys {
  const name = match.includes("name") ? `|${plain(nameText(contact))}` : "";
  const phones = contact.phone_numbers.map((number) => `p${number}${name}`);
  const emails = contact.emails.map((email) => `e${email.toLowerCase()}${name}`);
  const asked = [...(match.includes("phone") ? phones : []), ...(match.includes("email") ? emails : [])];
  if (asked.length > 0)
    return { indexed: [...(match.includes("phone") ? phones : []), ...emails], wanted: asked };
  if (emails.length > 0) return { indexed: emails, wanted: emails };
  const whole = [`w${fingerprintOf(contact)}`];
  return { indexed: whole, wanted: whole };
}

/** What a row adds to a contact: a PATCH of what differs, undefined where nothing does. */
export function changesOf(
  member: ImportContact,
  row: ImportContact,
): Partial<{ first_name: string; last_name: string; phone_numbers: string[]; emails: string[] }> | undefined {
  const changes: ReturnType<typeof changesOf> = {};
  if (row.first_name !== member.first_name) changes.first_name = row.first_name;
  // An empty cell never clears a field.
  if (row.last_name !== "" && row.last_name !== member.last_name) changes.last_name = row.last_name;
  const numbers = row.phone_numbers.filter((number) => !member.phone_numbers.includes(number));
  if (numbers.length > 0) changes.phone_numbers = [...member.phone_numbers, ...numbers];
  const known = new Set(member.emails.map((email) => email.toLowerCase()));
  const emails = row.emails.filter((email) => !known.has(email.toLowerCase()));
  if (emails.length > 0) changes.emails = [...member.emails, ...emails];
  return Object.keys(changes).length === 0 ? undefined : changes;
}
