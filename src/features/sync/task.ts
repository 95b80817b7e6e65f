import type { Fields } from "../../write/fields.js";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { InputRow } from "../../write/input-row.js";
import type { Bound, ReplaceBounds } from "../import/planning/bounds.js";
import type { SourceRow } from "../import/sources/types.js";
import type { RowRange } from "./guards.js";

/** A row of the file, verbatim and parsed. If the row is invalid, its marks show which resources it may refer to. */
interface SubjectRow {
  source: SourceRow;
  row: InputRow;
  marks(): string[];
}

/** The input file of a sync, and the resource type of the group. */
export interface SyncSubject {
  adapter: ImportAdapter;
  /** "contact", "contacts" */
  noun: string;
  plural: string;
  /** SHA-256 of the file, in hexadecimal. */
  digest: string;
  /** Column names, to find the key column. */
  names: readonly string[];
  rowCount: number;
  endsWithLineEnd: boolean;
  /** Whether the input can be truncated. A directory can't. */
  canBeCut: boolean;
  /** Incomplete last row, if any. */
  incomplete: { line: number; reason: string } | undefined;
  /** Empty files in a directory. Each of them may have contained a resource before. */
  unnamed: readonly string[];
  /** Yields the rows. Each call starts again at the first row. */
  rows(): AsyncIterable<SubjectRow>;
  /** Returns a resource's marks. An invalid row with the same mark excludes the resource from deletion. */
  marksOf(record: Fields): string[];
  /** Returns the names that distinguish resources with the same number; empty if the names are the keys. */
  namesOf(record: Fields): string[];
  /** Returns the names in a row that has neither a number nor an email; otherwise none. */
  namesAlone(record: Fields): string[];
  /** Formats a resource as one line. */
  textOf(record: Fields): string;
}

/** The `--protect` file, with resources that are never deleted. */
export interface ProtectFile {
  digest: string;
  rows(): AsyncIterable<Pick<SubjectRow, "source" | "marks">>;
}

/** A sync of one group, with its options. */
export interface SyncTask {
  subject: SyncSubject;
  /** Path of the file as typed. */
  file: string;
  /** Unit of the counts; for a directory, "file". */
  unit?: "row" | "file" | undefined;
  groupId: string;
  groupName: string;
  /** Options that are part of a run's identity. */
  options: Readonly<Record<string, unknown>>;
  /** Column with the user's own keys. */
  keyColumn: string | undefined;
  bounds: ReplaceBounds;
  /** Whether to delete contacts that no row matches. */
  deletes: boolean;
  /** Whether to delete duplicates of the resource that a row matches. */
  deletesDuplicates: boolean;
  /** Whether to also delete resources that others created or changed after the file was written. */
  deletesNewer: boolean;
  maxDelete: Bound | undefined;
  /** Contacts that are never deleted. */
  protectFile: ProtectFile | undefined;
  expectRows: RowRange | undefined;
  acceptNewMap: boolean;
  acceptRekey: boolean;
  /** Time at which the file was last changed, in milliseconds of the service's clock. */
  madeAt: number;
}

/** Why a resource that no row matches is kept. */
export type LeftReason =
  | "not_in_file"
  | "row_unusable"
  | "row_without_number"
  | "protected"
  | "duplicate_contact"
  | "newer"
  | "no_time";
