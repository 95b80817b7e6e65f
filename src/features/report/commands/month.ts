import { usageError } from "../../../cli/errors/errors.js";
import { assertMonth } from "../../../cli/nouns/distributor/months.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { Zone } from "../index.js";

/**
 * Without --month, the returned function returns the service's current month in the time zone, so call that
 * function after a response.
 * @throws usage error (2)
 */
export function readMonth(session: Session, input: Input): (zone: Zone) => string {
  const month = input.text("month");
  if (month !== undefined) assertMonth(month);
  return (zone) => month ?? getMonthIn(zone, session.serviceNow());
}

export function getMonthIn(zone: Zone, time: number): string {
  return zone.local(time).date.slice(0, 7);
}

/** @throws usage error (2) for an unknown time zone */
export async function readZone(name: string, flag: string): Promise<Zone> {
  const { createZone } = await import("../index.js");
  try {
    return createZone(name);
  } catch (cause) {
    throw usageError(`invalid ${flag} "${name}": expected a time zone such as Europe/Berlin`, { cause });
  }
}
