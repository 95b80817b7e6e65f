import type { Behavior, TextChange } from "./behavior.js";
import { type Fields, isFields } from "./exchange.js";
import { fieldsOf, type Row } from "./service-state.js";

/** Fields that every deployment stores unchanged: IDs, and texts whose spelling matters. */
const exact =
  /(^|_)ids?$|^(type|destination_type|kind|method|url|language|timezone|text|introduction|secret|password|externalOrganizationId|externalLicenseId)$/;
const emailLike = /^[^\s@]+@[^\s@]+$/;
const numberLike = /^(\+|00)[\d\s()/.-]{6,}$/;

export function stored(fields: Fields, { stores }: Behavior): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, exact.test(name) ? value : changed(value, stores)]),
  );
}

function changed(value: unknown, stores: readonly TextChange[]): unknown {
  if (typeof value === "string") return stores.reduce(changedText, value);
  if (!Array.isArray(value)) return value;
  const list = value.map((entry: unknown) => changed(entry, stores));
  const texts = list.every((entry) => typeof entry === "string");
  return texts && stores.includes("sorts lists") ? list.sort().reverse() : list;
}

function changedText(text: string, change: TextChange): string {
  switch (change) {
    case "trims":
      return text.trim();
    case "collapses white space":
      return text.replace(/\s+/g, " ").trim();
    case "changes case":
      return emailLike.test(text) ? text.toLowerCase() : text.toUpperCase();
    case "normalizes Unicode":
      return text.normalize("NFC");
    case "normalizes numbers":
      return numberLike.test(text) ? text.replace(/^00/, "+").replace(/[^+\d]/g, "") : text;
    case "sorts lists":
      return text;
  }
}

export function shown(row: Row, behavior: Behavior, inList: boolean, fields: Fields = fieldsOf(row)): Fields {
  const form = inList ? behavior.listTimestamps : behavior.timestamps;
  const changedAt = row.versions.at(-1)?.at ?? row.createdAt;
  const all: Fields = {
    id: row.id,
    ...withEmpty(fields, behavior.empty),
    created_at: timestamp(row.createdAt + behavior.clockOff, form),
    updated_at: timestamp(changedAt + behavior.clockOff, form),
    ...(inList && behavior.listsShowLess ? {} : extras(row, behavior)),
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !behavior.omits.includes(name)));
}

function withEmpty(fields: Fields, empty: Behavior["empty"]): Fields {
  if (empty === "as stored") return fields;
  const isEmpty = (value: unknown) =>
    value === "" || value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  const entries = Object.entries(fields).flatMap(([name, value]) => {
    if (!isEmpty(value) || empty === "nothing") return isEmpty(value) ? [] : [[name, value] as const];
    // An empty list stays a list, because the documents specify the field's type.
    return [[name, empty === "null" ? null : Array.isArray(value) ? value : ""] as const];
  });
  return Object.fromEntries(entries);
}

/** A number that a double can't represent, so the serializer writes its digits instead of `largeMark`. */
const largeNumber = "9007199254740993";
const largeMark = "«large number»";

function extras(row: Row, { adds }: Behavior): Fields {
  return {
    ...(adds.includes("unknown fields")
      ? {
          ...{ revision: row.versions.length, links: { self: `/things/${row.id}` }, labels: [] },
          // Every object inherits a property with this name.
          constructor: "import",
        }
      : {}),
    ...(adds.includes("numbers beyond 2^53") ? { crm_number: largeMark } : {}),
  };
}

export function jsonText(body: unknown): string {
  return JSON.stringify(body)
    .replaceAll(`"${largeMark}"`, largeNumber)
    .replace(/"«number (\d+)»"/g, "$1");
}

/** Returns a mark that `jsonText` replaces with a number of any size. */
export function numberMark(digits: string): string {
  return `«number ${digits}»`;
}

/** Formats a time in one of the allowed forms of ISO 8601 in UTC (public.general.6). */
export function timestamp(milliseconds: number, form: Behavior["timestamps"]): string {
  const iso = new Date(milliseconds).toISOString();
  if (form === "milliseconds") return iso;
  const seconds = iso.slice(0, 19);
  return form === "seconds" ? `${seconds}Z` : `${seconds}+00:00`;
}

/**
 * Two values have the same text if they differ only by changes that a conforming deployment may make.
 * Independent of voxctl's own comparison.
 */
export function normalize(value: unknown): string {
  if (Array.isArray(value)) return JSON.stringify(value.map(normalize).sort());
  if (isFields(value)) {
    const entries = Object.entries(value).map(([name, member]) => [name, normalize(member)]);
    return JSON.stringify(entries.sort());
  }
  if (value === null || value === undefined) return "";
  const text = String(value).normalize("NFC").replace(/\s+/g, " ").trim();
  // Convert to uppercase first, which also converts ß to SS.
  const folded = text.toUpperCase().toLowerCase();
  return numberLike.test(text) ? text.replace(/^00/, "+").replace(/[^+\d]/g, "") : folded;
}
