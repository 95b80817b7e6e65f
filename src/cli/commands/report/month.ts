import type { Zone } from "../../../report/index.js";
import { usageError } from "../../errors/errors.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { assertMonth } from "../distributor/months.js";

export const monthFlag: Flag = {
  name: "month",
  value: "month",
  description: "like 2026-10",
  default: "the current one so far",
};

/**
 * The month that is meant, `2026-10`.
 * @throws usage error (2)
 */
export function readMonth(session: Session, input: Input): string {
  const month = input.text("month");
  if (month === undefined) return new Date(session.serviceNow()).toISOString().slice(0, 7);
  assertMonth(month);
  return month;
}

/** @throws usage error (2) where there is no such time zone */
export async function readZone(name: string, flag: string): Promise<Zone> {
  const { createZone } = await import("../../../report/index.js");
  try {
    return createZone(name);
  } catch (cause) {
    throw usageError(`${flag}: "${name}" is no time zone; write Europe/Berlin`, { cause });
  }
}
