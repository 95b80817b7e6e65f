/** The identifiers that a person typed of the caller. */
export interface TypedSubject {
  phones: string[];
  emails: string[];
  names: string[];
  country: string | undefined;
}
