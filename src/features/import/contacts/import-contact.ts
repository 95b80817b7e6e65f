export interface ImportContact {
  readonly first_name: string;
  readonly last_name: string;
  readonly phone_numbers: readonly string[];
  readonly emails: readonly string[];
}
