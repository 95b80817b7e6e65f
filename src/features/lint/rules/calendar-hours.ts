import { createZone, type Zone } from "../../../base/zone.js";
import type { LintRule } from "../lint-rule.js";
import { getId, getObject, getObjects, getText, type ResourceRecord } from "../organization.js";

const dayMilliseconds = 86_400_000;
const daysAhead = 7;

export const calendarClosed: LintRule = {
  id: "calendar-closed",
  severity: "warning",
  summary: "Every calendar has opening hours within the next seven days",
  resource: "calendars",
  *check({ records, now }) {
    for (const calendar of records("calendars")) {
      if (!Array.isArray(calendar["schedules"])) continue;
      if (!getObjects(calendar, "schedules").every(hasKnownHours) || isOpen(calendar, now)) continue;
      yield {
        record: calendar,
        message: "has no opening hours within the next seven days",
        help: `voxctl calendars update ${getId(calendar)} --data @<file>`,
      };
    }
  },
};

export const calendarPast: LintRule = {
  id: "calendar-past",
  severity: "note",
  summary: "Every calendar with date overrides has at least one in the future",
  resource: "calendars",
  *check(organization) {
    for (const calendar of organization.records("calendars")) {
      const last = findLastOverride(calendar);
      if (last === undefined || last >= findZone(calendar).local(organization.now).date) continue;
      yield {
        record: calendar,
        message: `all date overrides are in the past (last: ${last}); add the next holidays`,
        help: `voxctl calendars get ${getId(calendar)}`,
      };
    }
  },
};

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** Returns whether the weekly hours have the expected format, which the documents don't specify. */
function hasKnownHours(schedule: ResourceRecord): boolean {
  const weekly = getObject(schedule, "weekly");
  if (weekly === undefined) return false;
  const names = Object.keys(weekly);
  return names.length === 0 || names.some((name) => weekdays.includes(name));
}

function isOpen(calendar: ResourceRecord, now: number): boolean {
  const zone = findZone(calendar);
  const days = Array.from({ length: daysAhead }, (_, ahead) => zone.local(now + ahead * dayMilliseconds));
  return getObjects(calendar, "schedules").some((schedule) =>
    days.some(({ date, weekday }) => {
      const own = getObjects(schedule, "overrides").find((override) => override["date"] === date);
      const intervals = own ?? getObject(schedule, "weekly");
      return getObjects(intervals, own === undefined ? weekday : "intervals").length > 0;
    }),
  );
}

function findLastOverride(calendar: ResourceRecord): string | undefined {
  return getObjects(calendar, "schedules")
    .flatMap((schedule) => getObjects(schedule, "overrides").map((override) => getText(override, "date")))
    .filter((date) => date !== "")
    .sort()
    .at(-1);
}

/** Returns the calendar's time zone; UTC if this machine doesn't know the zone. */
function findZone(calendar: ResourceRecord): Zone {
  try {
    return createZone(getText(calendar, "timezone") || "UTC");
  } catch {
    return createZone("UTC");
  }
}
