import { usageError } from "../../../errors/errors.js";
import { isId } from "../../../session/references/references.js";

export const callArgument = { name: "call", description: "ID of the call" };

/** @throws usage error (2) if the value is not a call ID */
export function readCallId(value: string | undefined): string {
  if (value === undefined || !isId(value))
    throw usageError(`invalid call ID "${value ?? ""}": expected 24 characters of 0-9 and a-f`);
  return value;
}
