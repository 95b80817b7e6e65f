import { usageError } from "../errors/errors.js";
import type { Command } from "./command.js";
import type { Input } from "./input.js";
import type { Session } from "./session.js";

/**
 * The typed flags, with the profile's defaults for flags that were not; each one is said, as it is not seen in the
 * line.
 */
export async function withProfileDefaults(command: Command, input: Input, session: Session): Promise<Input> {
  const open = (command.flags ?? []).filter(({ name, ofProfile }) => ofProfile && !input.has(name));
  // Without any of its flags a command may ask for them all; a document that is given has the group in it.
  const isTyped = input.arguments.length > 0 || (command.flags ?? []).some(({ name }) => input.has(name));
  if (open.length === 0 || !isTyped || input.has("data") || input.has("set")) return input;
  const { name: profile, defaults } = await session.profile();
  const added = new Map<string, string>();
  for (const { name, ofProfile } of open) {
    const value = ofProfile && defaults?.[ofProfile];
    if (value === undefined) continue;
    if (ofProfile === "country") await assertCountry(value, profile);
    added.set(name, value);
    session.notes.note(`--${name} ${value}: the default of the profile ${profile}`);
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
 * A profile that was stored by hand, or by another version, may have any.
 * @throws usage error (2)
 */
export async function assertCountry(country: string, profile: string): Promise<void> {
  const { isCountry } = await import("../../bulk/contacts/numbering.js");
  if (await isCountry(country)) return;
  throw usageError(`the profile ${profile} has the default country=${country}, which is no country`, {
    hint: `voxctl profiles set ${profile} country=DE sets another, country= none`,
  });
}
