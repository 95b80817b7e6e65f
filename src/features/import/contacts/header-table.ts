/** The form of the column names of one language. */

/** Column names in one language: the words they consist of, and those of programs that words don't describe. */
export interface HeaderTable {
  firstName: readonly string[];
  lastName: readonly string[];
  /** A first name, or a last name next to a column of first names. */
  name: readonly string[];
  /** Names of first and last name together. */
  wholeName: readonly string[];
  phone: readonly string[];
  email: readonly string[];
  /** Words before or after a phone or email: `private`, `second`. */
  qualifiers: readonly string[];
  /** Words that only follow a phone or email: `No Phone` is not a phone number. */
  qualifiersBehind: readonly string[];
  programs: readonly ProgramHeaders[];
}

/** The columns of a program's export that contain names, phone numbers and emails, and their lookalikes. */
interface ProgramHeaders {
  program: string;
  /** Document or program that shows these column names. */
  source: string;
  first_name: readonly string[];
  last_name: readonly string[];
  phone_numbers: readonly string[];
  emails: readonly string[];
  /** Columns that look like these, but contain extensions, other devices or another person's number. */
  ignored: readonly string[];
}
