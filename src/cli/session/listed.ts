import { usageError } from "../errors/errors.js";

/**
 * The values that a flag takes several of, separated by commas; a comma too many is none.
 * @param flag with its dashes
 * @throws usage error (2) where nothing is named: a variable of a script that is empty must not choose all, or nothing
 */
export function listedIn(text: string, flag: string): string[] {
  const values = text
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
  if (values.length === 0)
    throw usageError(`${flag}: "${text}" names nothing; values are separated by commas`);
  return values;
}
