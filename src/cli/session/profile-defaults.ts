import { usageError } from "../errors/errors.js";
import type { Command } from "./command.js";
import type { Input } from "./input.js";
import type { Session } from "./session.js";

/**
 * Adds the profile's defaults for flags that are not set. Prints a note for each default, because the command line does
 * not show it.
 */
export async function withProfileDefaults(command: Command, input: Input, session: Session): Promise<Input> {
  const open = (command.flags ?? []).filter(({ name, ofProfile }) => ofProfile && !input.has(name));
  // Without arguments or flags, the command can prompt for all values, so add no defaults. With --data or
  // --set, the body may already contain the group.
  const isTyped = input.arguments.length > 0 || (command.flags ?? []).some(({ name }) => input.has(name));
  if (open.length === 0 || !isTyped || input.has("data") || input.has("set")) return input;
  const { name: profile, defaults } = await session.profile();
  const added = new Map<string, string>();
  for (const { name, ofProfile } of open) {
    const value = ofProfile && defaults?.[ofProfile];
    if (value === undefined) continue;
    if (ofProfile === "country") await assertCountry(value, profile);
    added.set(name, value);
    session.notes.note(`Using --${name} ${value}, the default of profile "${profile}".`);
  }
  if (added.size === 0) return input;
  return {
    ...input,
    text: (name) => added.get(name) ?? input.text(name),
    on: (name) => (added.has(name) ? true : input.on(name)),
    has: (name) => added.has(name) || input.has(name),
  };
}

/**
 * Refuses an invalid default country. A profile can contain one, for example after a manual edit.
 * @throws usage error (2)
 */
export async function assertCountry(country: string, profile: string): Promise<void> {
  const { isCountry } = await import("../../features/import/contacts/numbering.js");
  if (await isCountry(country)) return;
  throw usageError(`profile "${profile}" has an invalid default: country=${country}`, {
    hint: `to change the default, run \`voxctl profiles set ${profile} country=DE\``,
  });
}
