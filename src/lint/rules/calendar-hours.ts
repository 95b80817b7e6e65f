import { idOf, type Organization, object, objects, type Thing, text } from "../organization.js";
import type { Rule } from "../rule.js";

const dayMilliseconds = 86_400_000;
const daysAhead = 7;
const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

export const calendarClosed: Rule = {
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
        help: `voxctl calendars get ${idOf(thing)}`,
      };
    }
  },
};

export const calendarPast: Rule = {
  id: "calendar-past",
  severity: "note",
  summary: "A calendar with days of its own has one that is yet to come",
  resource: "calendars",
  *check(organization) {
    for (const thing of organization.things("calendars")) {
      const last = lastOwnDay(thing);
      if (last === undefined || last >= dayOf(thing, organization.now).date) continue;
      yield {
        thing,
        message: `its days of their own all lie in the past; the last is ${last}: are the next holidays in it?`,
        help: `voxctl calendars get ${idOf(thing)}`,
      };
    }
  },
};

function isOpen(calendar: Thing, now: number): boolean {
  const days = Array.from({ length: daysAhead }, (_, ahead) =>
    dayOf(calendar, now + ahead * dayMilliseconds),
  );
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

/** The day at an instant where the calendar is kept; by UTC where its time zone is not known here. */
function dayOf(calendar: Thing, time: Organization["now"]): { date: string; weekday: string } {
  const date = localDate(text(calendar, "timezone"), time);
  const weekday = weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? "monday";
  return { date, weekday };
}

function localDate(timeZone: string, time: number): string {
  try {
    return new Intl.DateTimeFormat("sv-SE", { timeZone: timeZone || "UTC" }).format(time);
  } catch {
    return new Date(time).toISOString().slice(0, 10);
  }
}
