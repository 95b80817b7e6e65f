/**
 * Column names that voxctl recognizes in one language: single words, and complete names from the exports of
 * known programs.
 */
export interface HeaderTable {
  firstName: readonly string[];
  lastName: readonly string[];
  /** Words for a name column. The column contains last names if the file also has a first-name column. */
  name: readonly string[];
  /** Words for a column with first and last names. */
  wholeName: readonly string[];
  phone: readonly string[];
  email: readonly string[];
  /** Words that can precede or follow a word for a phone or email: `private`, `second`. */
  qualifiers: readonly string[];
  /**
   * Words that are accepted only after a word for a phone or email: `Phone No` is a phone column, but `No Phone` is
   * not.
   */
  qualifiersBehind: readonly string[];
  programs: readonly ProgramHeaders[];
}

export interface ProgramHeaders {
  program: string;
  source: string;
  first_name: readonly string[];
  last_name: readonly string[];
  phone_numbers: readonly string[];
  emails: readonly string[];
  /**
   * Columns that look like phone or email columns but must be ignored: extensions, other devices, another
   * person's number.
   */
  ignored: readonly string[];
}
