import { usageError } from "../errors/errors.js";

/** Parses `X-Site: Berlin`, a value of `--header`. @throws usage error (2) */
export function readHeaderLine(line: string): [name: string, value: string] {
  const colon = line.indexOf(":");
  if (colon < 1) throw usageError(`invalid --header "${line.slice(0, 40)}": expected "name: value"`);
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}
