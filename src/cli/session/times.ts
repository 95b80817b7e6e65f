import { parseTime } from "../../base/time-text.js";
import { usageError } from "../errors/errors.js";

/**
 * Refuses an invalid calendar day, because parsers would read 2026-11-31 as 1 December.
 * @throws usage error (2)
 */
function assertDay(text: string, flag: string): void {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)(?!\d)/.exec(text) ?? [];
  if (year === undefined) return;
  const days = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (Number(month) < 1 || Number(month) > 12)
    throw usageError(`invalid ${flag} "${text}": month ${month} does not exist`);
  if (Number(day) < 1 || Number(day) > days)
    throw usageError(`invalid ${flag} "${text}": ${year}-${month} has ${days} days`);
}

const milliseconds: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * Converts typed text to a time for the service. A time without a time zone is in UTC. `today` and
 * `yesterday` mean the start of that day (UTC). `7d`, `12h`, `30m` and `2w` are durations before now.
 * @param flag name in messages
 * @param now returns the service's time in milliseconds; called only if needed
 * @throws usage error (2)
 */
export async function readTime(
  text: string,
  flag: string,
  now: () => Promise<number> | number,
): Promise<string> {
  assertDay(text, flag);
  const daysAgo = ["today", "yesterday"].indexOf(text.toLowerCase());
  if (daysAgo !== -1) {
    const day = new Date((await now()) - daysAgo * (milliseconds["d"] ?? 0));
    return `${day.toISOString().slice(0, 10)}T00:00:00Z`;
  }
  const ago = /^(\d{1,5})([mhdw])(?:\s+ago)?$/.exec(text);
  const unit = milliseconds[ago?.[2] ?? ""];
  if (ago && unit !== undefined) {
    const at = new Date((await now()) - Number(ago[1]) * unit);
    return at.toISOString().replace(/\.\d+Z$/, "Z");
  }
  const whole = /^\d{4}-\d\d-\d\d$/.test(text)
    ? `${text}T00:00:00Z`
    : text.replace(
        /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?$/,
        (_, date, minute, second = ":00") => `${date}T${minute}${second}Z`,
      );
  if (!/^\d{4}-\d\d-\d\dT/.test(whole) || Number.isNaN(parseTime(whole)))
    throw usageError(`invalid ${flag} "${text}": expected a time`, {
      hint: "use a time such as 2026-11-01 (UTC) or 2026-11-01T09:30:00+01:00, today, yesterday, or an age such as 7d, 12h or 30m",
    });
  return whole;
}

/**
 * Converts typed text to the end of a period: a date without a time includes the whole day.
 * @throws usage error (2)
 */
export async function readEnd(
  text: string,
  flag: string,
  now: () => Promise<number> | number,
): Promise<string> {
  const time = await readTime(text, flag, now);
  if (!/^(\d{4}-\d\d-\d\d|today|yesterday)$/i.test(text)) return time;
  return new Date(parseTime(time) + (milliseconds["d"] ?? 0)).toISOString().replace(/\.\d+Z$/, "Z");
}

/**
 * Converts typed text to a day for the service (UTC): `today`, `yesterday`, or an age such as `30d` or `2w`.
 * @throws usage error (2) for an invalid day
 */
export async function readDay(
  text: string,
  flag: string,
  now: () => Promise<number> | number,
): Promise<string> {
  assertDay(text, flag);
  const isRelative = /^(\d{1,5}[dw]|today|yesterday)$/i.test(text);
  if (isRelative) return (await readTime(text, flag, now)).slice(0, 10);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  throw usageError(`invalid ${flag} "${text}": expected a date`, {
    hint: "use a date such as 2026-11-01 (UTC), today, yesterday, or an age such as 30d or 2w",
  });
}
