import { createHash } from "node:crypto";
import { isFields } from "../../base/fields.js";
import type { ValueForm } from "./resource-types/resource-type.js";

/** Returns a string that is the same for equal values. Null, an empty string and an empty list are equal. */
export function canonical(form: ValueForm, value: unknown): string {
  return JSON.stringify(sorted(comparable(form, value)));
}

function comparable(form: ValueForm, value: unknown): unknown {
  const empty = isEmpty(value) ? null : value;
  if (empty === null) return null;
  if (form === "name") return typeof value === "string" ? value.normalize("NFC").trim() || null : value;
  if (form === "phone") return typeof value === "string" ? value.replace(/[^\d+]/g, "") || null : value;
  if (form === "references" && Array.isArray(value)) return [...new Set(value.map(String))].sort();
  return form === "filled" ? withoutEmpty(value) : value;
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (typeof value !== "object") return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, withoutEmpty(inner)] as const)
      .filter(([, inner]) => !isEmpty(inner)),
  );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry) => sorted(entry ?? null));
  if (!isFields(value)) return value;
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
