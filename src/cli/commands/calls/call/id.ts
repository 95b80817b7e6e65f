import { usageError } from "../../../errors/errors.js";
import { isId } from "../../../session/references/references.js";

export const callArgument = { name: "call", description: "Its id" };

/** The id that was typed. @throws usage error (2) */
export function readCallId(value: string | undefined): string {
  if (value === undefined || !isId(value))
    throw usageError(`<call>: "${value ?? ""}" must be an id: 24 characters of 0-9 and a-f`);
  return value;
}
