import { hash } from "node:crypto";
import { ExactNumber } from "../base/exact-json.js";

export type Fields = Readonly<Record<string, unknown>>;

/** Omits missing fields. */
export function pick(record: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
}

export function omit(record: Fields, names: readonly string[]): Fields {
  return pick(
    record,
    Object.keys(record).filter((name) => !names.includes(name)),
  );
}

export function emptyOf(value: unknown): unknown {
  return Array.isArray(value) ? [] : typeof value === "string" ? "" : null;
}

/**
 * Normalizes a value for comparison. Ignores Unicode composition, white space, case and the order of lists.
 * In phone numbers, only digits count. A missing value, an empty string and `false` are equal.
 */
export function normalized(field: string, value: unknown): unknown {
  if (value === undefined || value === null || value === false) return "";
  if (Array.isArray(value)) {
    if (value.length === 0) return "";
    return [...new Set(value.map((entry) => normalized(field, entry)))].sort();
  }
  if (typeof value !== "string") return value;
  return field === "phone_numbers" ? value.replace(/\D/g, "") : normalizedText(value);
}

/**
 * Normalizes a text for comparison. Converts to upper case first, because a service that changes the case may
 * turn ß into SS. Removes invisible characters that only shape letters and emoji.
 */
export function normalizedText(text: string): string {
  const visible = text.replace(/\u200c|\u200d|\ufe0f/g, "");
  return visible.normalize("NFC").trim().replace(/\s+/gu, " ").toUpperCase().toLowerCase();
}

export function isAlike(field: string, left: unknown, right: unknown): boolean {
  return JSON.stringify(normalized(field, left)) === JSON.stringify(normalized(field, right));
}

export function fingerprintOf(names: readonly string[], fields: Fields): string {
  const content = names.map((name) => normalized(name, fields[name]));
  return hash("sha256", JSON.stringify(content), "base64url").slice(0, 27);
}

/**
 * Returns whether two values are equal. Ignores the type of line breaks, the order of lists, and the
 * representation of empty values.
 */
export function isSame(left: unknown, right: unknown): boolean {
  return JSON.stringify(plain(left)) === JSON.stringify(plain(right));
}

function plain(value: unknown): unknown {
  if (value === undefined || value === null || value === false) return "";
  if (typeof value === "string") return value.replace(/\r\n?/g, "\n");
  if (Array.isArray(value)) {
    if (value.length === 0) return "";
    const entries = value.map(plain);
    return entries.every((entry) => typeof entry === "string") ? entries.toSorted() : entries;
  }
  if (value instanceof ExactNumber) return `#${value.digits}`;
  if (typeof value !== "object") return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, plain(inner)] as const);
  return Object.fromEntries(entries.toSorted(([name], [next]) => (name < next ? -1 : 1)));
}
