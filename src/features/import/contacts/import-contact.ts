/** A contact that was read from a file, with the fields of the API. */
export interface ImportContact {
  readonly first_name: string;
  readonly last_name: string;
  readonly phone_numbers: readonly string[];
  readonly emails: readonly string[];
}
