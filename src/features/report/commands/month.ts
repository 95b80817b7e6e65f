import { usageError } from "../../../cli/errors/errors.js";
import { assertMonth } from "../../../cli/nouns/distributor/months.js";
import { getCurrentMonth } from "../../../cli/nouns/distributor/running-month.js";
import type { Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { Zone } from "../index.js";

/**
 * Without --month, the returned function returns the service's current month, so call that function after a
 * response.
 * @throws usage error (2)
 */
export function readMonth(session: Session, input: Input): () => string {
  const month = input.text("month");
  if (month !== undefined) assertMonth(month);
  return () => month ?? getCurrentMonth(session);
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
