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
  readonly lookup: readonly (readonly string[])[];
  /** Under which a row is found by later ones of the same input, which look for their surest keys: these are among them. */
  readonly ofRow: readonly string[];
}

/** The differences between types of things that lie in a group: contacts, glossary entries … */
export interface ImportAdapter {
  readonly type: RunType;
  readonly operations: Readonly<Record<"list" | "create" | "get" | "update" | "delete", OperationName>>;
  /** The path's parameter: `contact_id`. */
  readonly parameter: string;
  /** The fields that voxctl writes. */
  readonly fields: readonly string[];
  /** Those of them that only `get` shows. */
  readonly unlisted: readonly string[];
  /** The keys of a row's or a thing's fields. */
  keysOf(fields: Fields): Keys;
  /**
   * The values by which a row is taken for a thing: any entry of its lists, and all of its texts. Empty where only an
   * equal thing is the same.
   */
  identity(fields: Fields): Fields;
  /** May the text say that there is no value? Then it replaces none. */
  mayBeNothing(text: string): boolean;
  /** The fields that the report shows of a row that changes something, besides the change. */
  named(fields: Fields): Fields;
  /** The fields that it shows of a row that needs no request. */
  shown(fields: Fields): Fields;
  /** How a thing or row is named that a row is taken for, where that is another name. */
  findDifferingName(row: Fields, existing: Fields): string | undefined;
  /** A row that has a key of an earlier one: the outcome and what the report says of it. */
  repeated(row: InputRow, fields: Fields, earlier: EarlierRow): { outcome: string; detail: Fields };
  /** The fields that are kept of a row, to judge later ones. */
  kept(row: InputRow, fields: Fields): Fields;
}
