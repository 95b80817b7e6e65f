import { usageError } from "../errors/errors.js";

/**
 * Parses comma-separated values and ignores empty parts.
 * @param flag name of the flag, with dashes
 * @throws usage error (2) if no value remains, because an empty variable in a script must not select all or
 * no items
 */
export function listedIn(text: string, flag: string): string[] {
  const values = text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
  if (values.length === 0) throw usageError(`invalid ${flag} "${text}": expected values separated by commas`);
  return values;
}
