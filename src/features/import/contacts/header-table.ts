/** The column names of one language that voxctl knows: single words, and the columns of programs that those words don't match. */
export interface HeaderTable {
  firstName: readonly string[];
  lastName: readonly string[];
  /** Names for a first name, or for a last name if another column contains first names. */
  name: readonly string[];
  /** Names for a column with both first and last name. */
  wholeName: readonly string[];
  phone: readonly string[];
  email: readonly string[];
  /** Words before or after a word for a phone or email: `private`, `second`. */
  qualifiers: readonly string[];
  /** Words that are only accepted after a word for a phone or email: `No Phone` is not a phone number. */
  qualifiersBehind: readonly string[];
  programs: readonly ProgramHeaders[];
}

/** Columns with names, phone numbers and emails in the export of a program, and columns that look similar. */
interface ProgramHeaders {
  program: string;
  /** Document or program in which these column names appear. */
  source: string;
  first_name: readonly string[];
  last_name: readonly string[];
  phone_numbers: readonly string[];
  emails: readonly string[];
  /** Columns that look similar but contain extensions, other devices or another person's number. */
  ignored: readonly string[];
}
