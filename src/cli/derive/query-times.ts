import type { Session } from "../session/session.js";
import type { readDay } from "../session/times.js";
import type { FieldFlag } from "./field-flags.js";

/**
 * Converts the values of `flags` to days or times, and prints a note for values such as `7d`.
 * @throws usage error (2) that names the flag
 */
export async function withTimes(
  given: ReadonlyMap<string, unknown>,
  read: typeof readDay,
  flags: readonly FieldFlag[],
  session: Session,
): Promise<ReadonlyMap<string, unknown>> {
  const values = new Map(given);
  for (const { field, flag } of flags) {
    const typed = given.get(field.name);
    if (typeof typed !== "string") continue;
    const time = await read(typed, `--${flag.name}`, async () => (await session.connect()).clock.now());
    if (time !== typed) session.notes.note(`Using --${flag.name} ${time} (UTC) for ${typed}.`);
    values.set(field.name, time);
  }
  return values;
}
