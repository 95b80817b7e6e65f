import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { defineOperations } from "../operation.js";
import { Name, ObjectId, pageQuery, timestamps } from "../primitives.js";
import { Schedule } from "./schedules.js";

const Timezone = assumed(
  "D-calendar",
  z
    .string("must be a time zone like Europe/Berlin")
    .refine(isTimezone, "must be a time zone by its IANA name, like Europe/Berlin"),
  z.string("must be text"),
);

/** D-calendar: a name that IANA's data has, not an offset. */
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

// public.operations.11b: `schedules` replaces the whole array.
const CalendarUpdate = z.strictObject({
  name: Name.optional(),
  timezone: Timezone.optional(),
  schedules: Schedules.optional(),
});

export const calendars = defineOperations({
  "calendars.list": {
    surface: "public",
    method: "GET",
    path: "/calendars",
    summary: "List calendars",
    query: pageQuery({}),
    answer: "page",
    response: Calendar,
    success: 200,
    errors: [400],
    bucket: "read",
    permission: "calendars:read",
    feature: null,
  },
  "calendars.create": {
    surface: "public",
    method: "POST",
    path: "/calendars",
    summary: "Create a calendar",
    body: CalendarCreate,
    answer: "item",
    response: Calendar,
    success: 201,
    errors: [400, 409],
    bucket: "write",
    permission: "calendars:write",
    feature: null,
  },
  "calendars.get": {
    surface: "public",
    method: "GET",
    path: "/calendars/{calendar_id}",
    summary: "Show a calendar",
    answer: "item",
    response: Calendar,
    success: 200,
    errors: [400, 404],
    bucket: "read",
    permission: "calendars:read",
    feature: null,
  },
  "calendars.update": {
    surface: "public",
    method: "PATCH",
    path: "/calendars/{calendar_id}",
    summary: "Change a calendar",
    body: CalendarUpdate,
    answer: "item",
    response: Calendar,
    success: 200,
    errors: [400, 404, 409],
    bucket: "write",
    permission: "calendars:write",
    feature: null,
  },
  "calendars.delete": {
    surface: "public",
    method: "DELETE",
    path: "/calendars/{calendar_id}",
    summary: "Delete a calendar",
    answer: "empty",
    success: 200,
    errors: [400, 404, 409],
    bucket: "write",
    permission: "calendars:delete",
    feature: null,
  },
});

export type Calendar = z.output<typeof Calendar>;
