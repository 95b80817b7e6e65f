import { normalizeStatus } from "../../../../client/call-status.js";
import { usageError } from "../../../errors/errors.js";
import type { Flag, Input } from "../../../session/input.js";

export const finalStatusFlag: Flag = {
  name: "final-status",
  value: "status",
  description: "Additional status that marks a call as ended",
  repeatable: true,
};

export const expectStatusFlag: Flag = {
  name: "expect-status",
  value: "status",
  description: "Status that counts as success (default: `completed`, `ended`, `finished` or `done`)",
  repeatable: true,
};

/** @throws usage error (2) */
export function readStatuses(input: Input, name: string): string[] {
  const statuses = input.texts(name);
  if (statuses.some((status) => normalizeStatus(status) === "")) throw usageError(`--${name} is empty`);
  return statuses;
}
