import { usageError } from "../../errors/errors.js";

/** @throws usage error (2) that names the flag and the expected format */
export function assertMonth(month: string | undefined): void {
  if (month === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(month)) return;
  throw usageError(`invalid --month "${month}": expected a month such as 2026-10`);
}
