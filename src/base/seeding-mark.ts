/** Returns the path of the file, next to an emulator database, that marks seeding as incomplete. */
export function seedingMark(db: string): string {
  return `${db}.seeding`;
}
