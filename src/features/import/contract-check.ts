import * as z from "zod";
import { documentedOnly } from "../../contract/assumed.js";
import type { OperationName } from "../../contract/wire.js";
import type { RowProblem } from "../../write/input-row.js";
import { excerpt } from "../../write/values.js";

/**
 * Placeholder for the group ID, which is not known yet. A body without a valid group ID would be rejected.
 */
const anyGroup = "0".repeat(24);

/** Returns the fields that the service would reject in a request body. Doesn't check the group. */
export type Check = (fields: Readonly<Record<string, unknown>>) => RowProblem[];

/**
 * For a deployment, ignores limits that the contract only assumes, such as the length of a name.
 * @param emulatorId ID of the emulator that responds; null for a deployment
 */
export async function contractCheck(operation: OperationName, emulatorId: string | null): Promise<Check> {
  const { operations } = await import("../../contract/contract.js");
  const whole = operations[operation]?.body ?? z.unknown();
  const schema = emulatorId === null ? documentedOnly(whole) : whole;
  return (fields) => {
    const { error } = z.safeParse(schema, { group_id: anyGroup, ...fields });
    if (error === undefined) return [];
    const complaints = new Map<string, RowProblem>();
    for (const { path, message } of error.issues) {
      const [field, index] = path;
      if (field === "group_id" || typeof field !== "string") continue;
      const value = fields[field];
      const part: unknown = Array.isArray(value) && typeof index === "number" ? value[index] : value;
      const key = `${field}.${String(index)}`;
      if (!complaints.has(key)) complaints.set(key, { field, value: textOf(part), reason: message });
    }
    return [...complaints.values()];
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return excerpt(Array.isArray(value) ? value.join(", ") : String(value));
}
