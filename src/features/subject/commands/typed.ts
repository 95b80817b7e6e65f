/** Identifiers of a caller, as typed. */
export interface TypedSubject {
  phones: string[];
  emails: string[];
  names: string[];
  country: string | undefined;
}
