/** Returns the path of an emulator database's seeding mark. The file exists until seeding is complete. */
export function seedingMark(db: string): string {
  return `${db}.seeding`;
}
