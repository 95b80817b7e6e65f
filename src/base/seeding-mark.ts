/** The mark beside a world's file that its seed is not in it to the end. */
export function seedingMark(db: string): string {
  return `${db}.seeding`;
}
