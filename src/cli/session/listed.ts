import { usageError } from "../errors/errors.js";

/**
 * Returns the comma-separated values of a flag; empty parts are ignored.
 * @param flag with its dashes
 * @throws usage error (2) without a value: an empty variable in a script must not select all or no items
 */
export function listedIn(text: string, flag: string): string[] {
  const values = text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
  if (values.length === 0) throw usageError(`invalid ${flag} "${text}": expected values separated by commas`);
  return values;
}
