/** The file next to an emulator database that marks its seeding as incomplete. */
export function seedingMark(db: string): string {
  return `${db}.seeding`;
}
