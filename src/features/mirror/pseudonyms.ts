import { createHmac } from "node:crypto";
import { ExactNumber } from "../../base/exact-json.js";
import { mapInner } from "../../base/fields.js";
import type { MirrorResource } from "../../contract/mirror.js";
import type { Raw } from "./mirror-emulator.js";

/** Fields of contacts and calls that are copied unchanged. Texts and numbers in all other fields are replaced. */
const kept: Readonly<Partial<Record<MirrorResource, ReadonlySet<string>>>> = {
  contacts: new Set(["id", "group_id", "created_at", "updated_at"]),
  calls: new Set([
    "id",
    "assistant_id",
    "direction",
    "status",
    "started_at",
    "ended_at",
    "duration_seconds",
    "created_at",
    "updated_at",
  ]),
};

/**
 * Fields that are copied unchanged even inside a replaced field: the speaker's role, times, and the documented
 * fields of a recording.
 */
const keptInside = new Set(["role", "offset_seconds", "created_at", "available", "content_type"]);

/** Equal values get equal pseudonyms, but nobody can match pseudonyms with values without the key. */
export function pseudonymizer(key: string): (resource: MirrorResource, raw: Raw) => Raw {
  const hash = (text: string) => createHmac("sha256", key).update(text).digest("hex");
  const replaced = (value: unknown): unknown => {
    if (typeof value === "string") return pseudonymOf(value, hash);
    // An undocumented field may contain a number that identifies a person, such as a customer number.
    if (typeof value === "number" || value instanceof ExactNumber)
      return Number.parseInt(hash(String(value)).slice(0, 8), 16);
    return mapInner(value, (inner, key) =>
      typeof key === "string" && keptInside.has(key) ? inner : replaced(inner),
    );
  };
  return (resource, raw) => {
    const fields = kept[resource];
    return fields ? mapped(raw, (name, value) => (fields.has(name) ? value : replaced(value))) : raw;
  };
}

function mapped(fields: object, map: (name: string, value: unknown) => unknown): Raw {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(name, value)]));
}

/** Returns a pseudonym of the same type: a phone number, an email or other text. Keeps an empty text. */
function pseudonymOf(text: string, hash: (text: string) => string): string {
  if (text.trim() === "") return text;
  if (/^\+\d{6,20}$/.test(text)) return phonePseudonym(text, hash(text));
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return `user-${hash(text).slice(0, 16)}@example.org`;
  return `name-${hash(text).slice(0, 12)}`;
}

/** Calling codes with two digits (ITU E.164). The codes 1 and 7 have one digit; all others have three. */
const twoDigits = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Derives a phone number from the hash, with the same country code and number of digits. */
function phonePseudonym(number: string, hash: string): string {
  const digits = number.slice(1);
  const code = /^[17]/.test(digits) ? 1 : twoDigits.test(digits) ? 2 : 3;
  const length = digits.length - code;
  // A national number can't start with 0 in international format.
  const drawn = BigInt(`0x${hash}`).toString().slice(-length).padStart(length, "1").replace(/^0/, "1");
  return `+${digits.slice(0, code)}${drawn}`;
}
