/** Path of a file that exists while an emulator database is being seeded. */
export function seedingMark(db: string): string {
  return `${db}.seeding`;
}
