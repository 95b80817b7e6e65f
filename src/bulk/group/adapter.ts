import type { OperationName } from "../../contract/wire.js";
import type { Fields } from "../fields.js";
import type { InputRow } from "../input-row.js";
import type { RunType } from "../journal/identity.js";

/** A row of the same input that was read before. */
export interface EarlierRow {
  readonly number: number;
  readonly fields: Fields;
}

/** By what a row and a thing of the group are taken for the same. */
interface Keys {
  /** Under which it is found by others. */
  readonly indexed: readonly string[];
  /** By which it looks for others, the surest first: one hit on a level is enough. */
  readonly wanted: readonly (readonly string[])[];
}

/** What makes one type of thing that lies in a group differ from another: contacts, glossary entries … */
export interface ImportAdapter {
  readonly type: RunType;
  readonly operations: Readonly<Record<"list" | "create" | "get" | "update" | "delete", OperationName>>;
  /** The path's parameter: `contact_id`. */
  readonly parameter: string;
  /** What voxctl writes of it. */
  readonly fields: readonly string[];
  /** Of these, what only `get` shows. */
  readonly unlisted: readonly string[];
  /** Of a row's or a thing's fields. */
  keysOf(fields: Fields): Keys;
  /** Under which a row is found by later ones of the same input, which look for their surest keys. */
  rowKeysOf(fields: Fields): readonly string[];
  /** What the report shows of a row that changes something, besides the change. */
  named(fields: Fields): Fields;
  /** What it shows of a row that needs no request. */
  shown(fields: Fields): Fields;
  /** How a thing or row is named that a row is taken for, where that is another name. */
  otherName(row: Fields, other: Fields): string | undefined;
  /** A row that has a key of an earlier one: the outcome and what the report says of it. */
  repeated(row: InputRow, fields: Fields, earlier: EarlierRow): { outcome: string; detail: Fields };
  /** What is kept of a row, to judge later ones. */
  kept(row: InputRow, fields: Fields): Fields;
}
