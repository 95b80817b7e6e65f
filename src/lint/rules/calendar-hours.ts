import { createZone, type Zone } from "../../base/zone.js";
import { idOf, object, objects, type Thing, text } from "../organization.js";
import type { LintRule } from "../rule.js";

const dayMilliseconds = 86_400_000;
const daysAhead = 7;

export const calendarClosed: LintRule = {
  id: "calendar-closed",
  severity: "warning",
  summary: "A calendar has an open hour within the next seven days",
  resource: "calendars",
  *check({ things, now }) {
    for (const thing of things("calendars")) {
      if (!Array.isArray(thing["schedules"]) || isOpen(thing, now)) continue;
      yield {
        thing,
        message: "has no open hour within the next seven days",
        help: `voxctl calendars update ${idOf(thing)} --data @<file>`,
      };
    }
  },
};

export const calendarPast: LintRule = {
  id: "calendar-past",
  severity: "note",
  summary: "A calendar with days of its own has one that is yet to come",
  resource: "calendars",
  *check(organization) {
    for (const thing of organization.things("calendars")) {
      const last = lastOwnDay(thing);
      if (last === undefined || last >= zoneOf(thing).local(organization.now).date) continue;
      yield {
        thing,
        message: `its days of their own all lie in the past; the last is ${last}: are the next holidays in it?`,
        help: `voxctl calendars get ${idOf(thing)}`,
      };
    }
  },
};

function isOpen(calendar: Thing, now: number): boolean {
  const zone = zoneOf(calendar);
  const days = Array.from({ length: daysAhead }, (_, ahead) => zone.local(now + ahead * dayMilliseconds));
  return objects(calendar, "schedules").some((schedule) =>
    days.some(({ date, weekday }) => {
      const own = objects(schedule, "overrides").find((one) => one["date"] === date);
      const intervals = own ?? object(schedule, "weekly");
      return objects(intervals, own === undefined ? weekday : "intervals").length > 0;
    }),
  );
}

function lastOwnDay(calendar: Thing): string | undefined {
  return objects(calendar, "schedules")
    .flatMap((schedule) => objects(schedule, "overrides").map((one) => text(one, "date")))
    .filter((date) => date !== "")
    .sort()
    .at(-1);
}

/** Where the calendar is kept; UTC where its time zone is not known here. */
function zoneOf(calendar: Thing): Zone {
  try {
    return createZone(text(calendar, "timezone") || "UTC");
  } catch {
    return createZone("UTC");
  }
}
