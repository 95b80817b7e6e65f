/** A caller's identifiers, as typed. */
export interface TypedSubject {
  phones: string[];
  emails: string[];
  names: string[];
  country: string | undefined;
}
