import type { Fields } from "../fields.js";
import type { ImportAdapter } from "../group/adapter.js";
import type { InputRow, OnMatch } from "../input-row.js";
import type { Bound, ReplaceBounds } from "../planning/bounds.js";
import type { SourceRow } from "../sources/types.js";
import type { RowRange } from "./guards.js";

/** A row of the file: as it stands there, as it is understood, and what it shares with things if it can't be used. */
interface SubjectRow {
  source: SourceRow;
  row: InputRow;
  marks(): string[];
}

/** The type of a group's things, and the file that they are to equal. */
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
  /** A file that is cut loses its end; a folder has none. */
  canBeCut: boolean;
  /** The last row is not whole. */
  incomplete: { line: number; reason: string } | undefined;
  /** Places that say nothing, and may have held a thing before: empty files of a folder. */
  unnamed: readonly string[];
  /** From the first, as often as it is called. */
  rows(): AsyncIterable<SubjectRow>;
  /** Numbers, e-mails and names by which a row that can't be used protects a thing (S2). */
  marksOf(record: Fields): string[];
  /** Names that a row of its own may have beside another row that matches the same things; none where names are keys. */
  namesOf(record: Fields): string[];
  /** Names of a row by which alone it is known: no number or e-mail says whom it means. */
  namesAlone(record: Fields): string[];
  /** A thing in a line. */
  textOf(record: Fields): string;
}

/** A file of things that are never deleted. */
export interface ProtectFile {
  digest: string;
  names: readonly string[];
  rows(): AsyncIterable<Pick<SubjectRow, "source" | "marks">>;
}

/** An import that knows things by the caller's own keys: a file of some of them, and nothing of others. */
interface KeyedImport {
  onMatch: Exclude<OnMatch, "create">;
  /** Refuse a file with an invalid row. */
  strict: boolean;
}

/** A group that is to be made equal to a file, and how far. */
export interface SyncTask {
  subject: SyncSubject;
  /** Where the file says nothing of things that it does not have: they are neither judged nor told of. */
  keyedImport?: KeyedImport | undefined;
  /** The file's name, as the user gave it. */
  file: string;
  /** The parts that it is counted by: those of a folder are files. */
  unit?: "row" | "file" | undefined;
  /** Empty in a dry run whose group is not there. */
  groupId: string;
  groupName: string;
  /** The options that decide what is the same. */
  options: Readonly<Record<string, unknown>>;
  /** The column of the caller's own keys (K1). */
  keyColumn: string | undefined;
  bounds: ReplaceBounds;
  /** Delete contacts that no row matches. */
  deletes: boolean;
  /** Delete those that match a row beside the one that it keeps (S4). */
  deletesDuplicates: boolean;
  /** Delete what others made or changed after the file was made, too (S5). */
  deletesNewer: boolean;
  maxDelete: Bound | undefined;
  /** Contacts that are never deleted. */
  protectFile: ProtectFile | undefined;
  expectRows: RowRange | undefined;
  acceptNewMap: boolean;
  acceptRekey: boolean;
  /** When the file was made, by the service's clock. */
  madeAt: number;
}

/** The fate of a contact that no row matches: why it stays, or that it goes. */
export type LeftReason =
  | "not_in_file"
  | "row_unusable"
  | "row_without_number"
  | "protected"
  | "duplicate_contact"
  | "newer"
  | "no_time";

/** The results of a synchronization, or the foreseen ones. */
export interface SyncSummary {
  /** Null where nothing was sent. */
  run_id: string | null;
  /** Null where nothing was to be done. */
  plan_id: string | null;
  file: string;
  group_id: string;
  rows: number;
  created: number;
  updated: number;
  deleted: number;
  unchanged: number;
  duplicates: number;
  invalid: number;
  /** Rows that match several contacts, so that it is unclear which one they mean. */
  ambiguous: number;
  partly: number;
  /** Contacts that no row matches and that stay. */
  left: number;
  /** The reason why these stay: --delete was not given, or the contact is another one's duplicate. */
  not_in_file: number;
  duplicate_contacts: number;
  /** Since a row that can't be used, a file or a value protects them. */
  protected: number;
  /** Since they were made or changed after the file. */
  newer: number;
  /** Rejected by the service. */
  failed: number;
  /** Changed by others between plan and write, and left. */
  drifted: number;
  unknown: number;
  requests: number;
  rate_limited: number;
  seconds: number;
  report: string;
}
