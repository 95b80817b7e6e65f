import type { SqlValue } from "../../base/database.js";
import { parseTimestamp } from "../../base/time-text.js";
import type { Sealing } from "../kernel/secrets.js";

export type RawRecord = Readonly<Record<string, unknown>>;

interface Conversion {
  /** The current time, for times that the source does not return. */
  now: number;
  isoTime(milliseconds: number): string;
  sealing: Sealing;
}

export type Column = (raw: RawRecord, conversion: Conversion) => SqlValue;
export type Field<T = unknown> = (raw: RawRecord, conversion: Conversion) => T;

/** Each of the following functions returns a conversion of the source's field `name`. */
export const text =
  (name: string, fallback = ""): Field<string> =>
  (raw) => {
    const value = raw[name];
    return value === undefined || value === null ? fallback : String(value);
  };
export const nullableText =
  (name: string): Column =>
  (raw) =>
    typeof raw[name] === "string" ? raw[name] : null;
export const oneOf =
  (name: string, values: readonly string[], fallback: string): Column =>
  (raw) =>
    values.find((value) => value === raw[name]) ?? fallback;
export const list =
  (name: string): Column =>
  (raw) =>
    JSON.stringify(Array.isArray(raw[name]) ? raw[name] : []);
export const json =
  (name: string, fallback: unknown): Column =>
  (raw) =>
    JSON.stringify(raw[name] ?? fallback);
export const flag =
  (name: string): Column =>
  (raw) =>
    raw[name] === true ? 1 : 0;
export const nullableNumber =
  (name: string): Column =>
  (raw) =>
    typeof raw[name] === "number" ? raw[name] : null;

export const time =
  (name: string): Column =>
  (raw, { now }) =>
    parseTimestamp(raw[name]) ?? parseTimestamp(raw["created_at"]) ?? now;

export const array =
  (name: string): Field<unknown[]> =>
  (raw) =>
    Array.isArray(raw[name]) ? raw[name] : [];
export const isoTimeOf =
  (name: string): Field<string> =>
  (raw, { now, isoTime }) =>
    isoTime(parseTimestamp(raw[name]) ?? parseTimestamp(raw["created_at"]) ?? now);

/** Returns an empty object if the field doesn't contain an object. */
export function readObject(raw: RawRecord, name: string): RawRecord {
  const value = raw[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
