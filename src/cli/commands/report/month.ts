import type { Zone } from "../../../report/index.js";
import { usageError } from "../../errors/errors.js";
import type { Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { assertMonth } from "../distributor/months.js";

/**
 * Returns the requested month, `2026-10`.
 * @throws usage error (2)
 */
export function readMonth(session: Session, input: Input): string {
  const month = input.text("month");
  if (month === undefined) return new Date(session.serviceNow()).toISOString().slice(0, 7);
  assertMonth(month);
  return month;
}

/** @throws usage error (2) for an unknown time zone */
export async function readZone(name: string, flag: string): Promise<Zone> {
  const { createZone } = await import("../../../report/index.js");
  try {
    return createZone(name);
  } catch (cause) {
    throw usageError(`invalid ${flag} "${name}": expected a time zone such as Europe/Berlin`, { cause });
  }
}
