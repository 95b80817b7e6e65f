/**
 * Column names that voxctl recognizes in one language: single words, and column names from programs' exports that the
 * words don't match.
 */
export interface HeaderTable {
  firstName: readonly string[];
  lastName: readonly string[];
  /** Words for a name column. It contains last names if another column contains first names, otherwise first names. */
  name: readonly string[];
  /** Words for a column with first and last names. */
  wholeName: readonly string[];
  phone: readonly string[];
  email: readonly string[];
  /** Words before or after a word for a phone or email: `private`, `second`. */
  qualifiers: readonly string[];
  /**
   * Words that are accepted only after a word for a phone or email: `Phone No` is a phone column, but `No Phone` is
   * not.
   */
  qualifiersBehind: readonly string[];
  programs: readonly ProgramHeaders[];
}

/** Name, phone and email columns in a program's export, and columns with similar names. */
interface ProgramHeaders {
  program: string;
  /** Document or program in which these column names appear. */
  source: string;
  first_name: readonly string[];
  last_name: readonly string[];
  phone_numbers: readonly string[];
  emails: readonly string[];
  /** Columns with similar names that contain extensions, numbers of other devices, or another person's number. */
  ignored: readonly string[];
}
