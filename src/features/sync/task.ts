import type { Fields } from "../../write/fields.js";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { InputRow } from "../../write/input-row.js";
import type { Bound, ReplaceBounds } from "../import/planning/bounds.js";
import type { SourceRow } from "../import/sources/types.js";
import type { RowRange } from "./guards.js";

/**
 * `marks` returns the row's identifying values, such as numbers and names. If the row is invalid, they show to
 * which resources it may refer.
 */
interface SubjectRow {
  source: SourceRow;
  row: InputRow;
  marks(): string[];
}

export interface SyncSubject {
  adapter: ImportAdapter;
  /** Singular noun for a resource, such as "contact". */
  noun: string;
  plural: string;
  /** SHA-256 of the file as hexadecimal digits. */
  digest: string;
  names: readonly string[];
  rowCount: number;
  endsWithLineEnd: boolean;
  /** Whether the input can be truncated. False for a directory. */
  canBeCut: boolean;
  incomplete: { line: number; reason: string } | undefined;
  /** Empty files in a directory. Such a file may have contained an item before. */
  unnamed: readonly string[];
  /** Fields without a column in the file; empty if the file's format has no columns. */
  unmapped: readonly string[];
  /** Yields all rows. Each call starts with the first row. */
  rows(): AsyncIterable<SubjectRow>;
  /**
   * Returns a resource's identifying values: the numbers, emails and names by which a row can refer to it. If an
   * invalid row has one of these values, the resource is not deleted.
   */
  marksOf(record: Fields): string[];
  /**
   * Returns the names that distinguish contacts with the same number; an empty list for items, because their
   * names are keys.
   */
  namesOf(record: Fields): string[];
  /** Returns the names of a row that has neither a number nor an email; otherwise an empty list. */
  namesAlone(record: Fields): string[];
  textOf(record: Fields): string;
}

export interface ProtectFile {
  digest: string;
  rows(): AsyncIterable<Pick<SubjectRow, "source" | "marks">>;
}

export interface SyncTask {
  subject: SyncSubject;
  /** Path of the file as typed. */
  file: string;
  /** Unit of the input: a file for a directory, otherwise a row. */
  unit?: "row" | "file" | undefined;
  groupId: string;
  groupName: string;
  options: Readonly<Record<string, unknown>>;
  keyColumn: string | undefined;
  bounds: ReplaceBounds;
  /** Whether to delete contacts that no row matches. */
  deletes: boolean;
  deletesDuplicates: boolean;
  /** Whether to also delete resources that other users created or changed after the file was last changed. */
  deletesNewer: boolean;
  maxDelete: Bound | undefined;
  protectFile: ProtectFile | undefined;
  expectRows: RowRange | undefined;
  acceptNewMap: boolean;
  acceptRekey: boolean;
  /** Time of the file's last change, in milliseconds on the service's clock. */
  madeAt: number;
}

export type LeftReason =
  | "not_in_file"
  | "row_unusable"
  | "row_without_number"
  | "protected"
  | "duplicate_contact"
  | "newer"
  | "no_time";
