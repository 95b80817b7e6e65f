import { isFields } from "../../base/fields.js";
import { createZone, type Zone } from "../../base/zone.js";

type Fields = Readonly<Record<string, unknown>>;

export interface OpeningHours {
  /** Returns undefined if none of the assistant's calendars has opening hours. */
  isOpen(assistantId: string, time: number): boolean | undefined;
}

/** In a calendar without schedules of kind `opening`, all schedules count (D-calendar). */
export function createOpeningHours(
  assistants: readonly Fields[],
  calendars: readonly Fields[],
): OpeningHours {
  const known = new Map(calendars.map((calendar) => [String(calendar["id"]), listHours(calendar)]));
  const ofAssistant = new Map(
    assistants.map((assistant) => [
      String(assistant["id"]),
      list(assistant["calendar_ids"]).flatMap((id) => known.get(String(id)) ?? []),
    ]),
  );
  return {
    isOpen(assistantId, time) {
      const hours = (ofAssistant.get(assistantId) ?? []).filter(({ schedules }) => schedules.length > 0);
      return hours.length === 0 ? undefined : hours.some((calendarHours) => isOpenAt(calendarHours, time));
    },
  };
}

interface Hours {
  zone: Zone;
  schedules: Fields[];
}

function listHours(calendar: Fields): Hours[] {
  const all = list(calendar["schedules"]).filter(isFields);
  const opening = all.filter(({ kind }) => kind === "opening");
  const zone = findZone(calendar["timezone"]);
  return zone === undefined ? [] : [{ zone, schedules: opening.length > 0 ? opening : all }];
}

function findZone(name: unknown): Zone | undefined {
  try {
    return typeof name === "string" ? createZone(name) : undefined;
  } catch {
    return undefined;
  }
}

/** A date override replaces the weekly hours of a schedule. */
function isOpenAt({ zone, schedules }: Hours, at: number): boolean {
  const { date, time, weekday } = zone.local(at);
  return schedules.some((schedule) => {
    const own = list(schedule["overrides"])
      .filter(isFields)
      .find((override) => override["date"] === date);
    const weekly = schedule["weekly"];
    const intervals = own === undefined ? (isFields(weekly) ? weekly[weekday] : []) : own["intervals"];
    return list(intervals)
      .filter(isFields)
      .some(({ from, to }) => String(from) <= time && time < String(to));
  });
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
