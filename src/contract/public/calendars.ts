import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { defineOperations } from "../operation.js";
import { Name, ObjectId, pageQuery, timestamps } from "../primitives.js";
import { Schedule } from "./schedules.js";

const Timezone = assumed(
  "D-calendar",
  z
    .string("must be a time zone like Europe/Berlin")
    .refine(isTimezone, "must be an IANA time zone like Europe/Berlin"),
  z.string("must be text"),
);

/** Returns whether a name is in the IANA database; an offset is not (D-calendar). */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const Schedules = z.array(Schedule, "must be a list of schedules");

const Calendar = z.object({
  id: ObjectId,
  name: z.string(),
  timezone: assumed("D-calendar", z.string()),
  schedules: z.array(
    z.object({
      kind: ruled("public.calendar.kinds", z.string()),
      weekly: assumed("D-calendar", z.looseObject({})),
      overrides: assumed("D-calendar", z.array(z.looseObject({}))),
    }),
  ),
  ...timestamps,
});

const CalendarCreate = z.strictObject({
  name: Name,
  timezone: Timezone.default("Europe/Berlin"),
  schedules: Schedules.default([]),
});

// `schedules` replaces the whole array (public.operations.11b).
const CalendarUpdate = z.strictObject({
  name: Name.optional(),
  timezone: Timezone.optional(),
  schedules: Schedules.optional(),
});

export const calendars = defineOperations(
  { api: "public", area: "calendars" },
  {
    "calendars.list": {
      method: "GET",
      path: "/calendars",
      summary: "List calendars",
      query: pageQuery({}),
      responseShape: "page",
      response: Calendar,
    },
    "calendars.create": {
      method: "POST",
      path: "/calendars",
      summary: "Create a calendar",
      body: CalendarCreate,
      responseShape: "item",
      response: Calendar,
      errors: [409],
    },
    "calendars.get": {
      method: "GET",
      path: "/calendars/{calendar_id}",
      summary: "Show a calendar",
      responseShape: "item",
      response: Calendar,
    },
    "calendars.update": {
      method: "PATCH",
      path: "/calendars/{calendar_id}",
      summary: "Change a calendar",
      body: CalendarUpdate,
      responseShape: "item",
      response: Calendar,
      errors: [409],
    },
    "calendars.delete": {
      method: "DELETE",
      path: "/calendars/{calendar_id}",
      summary: "Delete a calendar",
      responseShape: "empty",
      errors: [409],
    },
  },
);

export type Calendar = z.output<typeof Calendar>;
