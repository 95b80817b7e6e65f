export interface TypedSubject {
  phones: string[];
  emails: string[];
  names: string[];
  country: string | undefined;
}
