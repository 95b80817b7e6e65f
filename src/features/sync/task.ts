import type { Fields } from "../../write/fields.js";
import type { ImportAdapter } from "../../write/group/adapter.js";
import type { InputRow } from "../../write/input-row.js";
import type { Bound, ReplaceBounds } from "../import/planning/bounds.js";
import type { SourceRow } from "../import/sources/types.js";
import type { RowRange } from "./guards.js";

/** A row of the file: verbatim, parsed, and the values that it shares with resources if it is invalid. */
interface SubjectRow {
  source: SourceRow;
  row: InputRow;
  marks(): string[];
}

/** The resource type of a group, and the file that the group must match. */
export interface SyncSubject {
  adapter: ImportAdapter;
  /** "contact", "contacts" */
  noun: string;
  plural: string;
  /** SHA-256 of the file, hex. */
  digest: string;
  /** The columns' names, for keys. */
  names: readonly string[];
  rowCount: number;
  endsWithLineEnd: boolean;
  /** A truncated file loses its last rows; a directory has no last rows. */
  canBeCut: boolean;
  /** The last row is not whole. */
  incomplete: { line: number; reason: string } | undefined;
  /** Files without content that may have contained a resource before: empty files of a directory. */
  unnamed: readonly string[];
  /** From the first, as often as it is called. */
  rows(): AsyncIterable<SubjectRow>;
  /** Numbers, emails and names by which an invalid row excludes a resource from deletion (S2). */
  marksOf(record: Fields): string[];
  /**
   * Names that distinguish a row from another row that matches the same resources; none if names are keys.
   */
  namesOf(record: Fields): string[];
  /** Names of a row that has no other identification: no number and no email. */
  namesAlone(record: Fields): string[];
  /** Formats a resource as one line. */
  textOf(record: Fields): string;
}

/** A file of resources that are never deleted. */
export interface ProtectFile {
  digest: string;
  rows(): AsyncIterable<Pick<SubjectRow, "source" | "marks">>;
}

/** A group to update to match a file, with options. */
export interface SyncTask {
  subject: SyncSubject;
  /** Path of the file as typed. */
  file: string;
  /** The unit of its counts: the items of a directory are files. */
  unit?: "row" | "file" | undefined;
  groupId: string;
  groupName: string;
  /** The options that decide whether two runs are the same. */
  options: Readonly<Record<string, unknown>>;
  /** The column of the caller's own keys (K1). */
  keyColumn: string | undefined;
  bounds: ReplaceBounds;
  /** Delete contacts that no row matches. */
  deletes: boolean;
  /** Delete duplicates of the resource that a row keeps (S4). */
  deletesDuplicates: boolean;
  /** Delete also resources that others created or changed after the file was written (S5). */
  deletesNewer: boolean;
  maxDelete: Bound | undefined;
  /** Contacts that are never deleted. */
  protectFile: ProtectFile | undefined;
  expectRows: RowRange | undefined;
  acceptNewMap: boolean;
  acceptRekey: boolean;
  /** When the file was last changed, by the service's clock. */
  madeAt: number;
}

/** The decision about a contact that no row matches: deleted, or the reason to keep it. */
export type LeftReason =
  | "not_in_file"
  | "row_unusable"
  | "row_without_number"
  | "protected"
  | "duplicate_contact"
  | "newer"
  | "no_time";
