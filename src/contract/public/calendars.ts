import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { exampleIds, exampleTimes, setExample } from "../examples.js";
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

/** Offsets such as `+02:00` are not names (D-calendar). */
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

// `schedules` in a request replaces the whole list (public.operations.11b).
const CalendarUpdate = z.strictObject({
  name: Name.optional(),
  timezone: Timezone.optional(),
  schedules: Schedules.optional(),
});

const openingHours: z.input<typeof Schedules> = [
  {
    kind: "opening",
    weekly: {
      monday: [
        { from: "08:00", to: "12:00" },
        { from: "14:00", to: "18:00" },
      ],
      tuesday: [{ from: "08:00", to: "16:00" }],
      friday: [{ from: "08:00", to: "13:00" }],
    },
    overrides: [{ date: "2026-12-24", closed: true }],
  },
];
setExample(Calendar, {
  id: exampleIds.calendar_id,
  name: "Praxis",
  timezone: "Europe/Berlin",
  schedules: [
    {
      kind: "opening",
      weekly: {
        monday: [
          { from: "08:00", to: "12:00" },
          { from: "14:00", to: "18:00" },
        ],
        tuesday: [{ from: "08:00", to: "16:00" }],
        wednesday: [],
        thursday: [],
        friday: [{ from: "08:00", to: "13:00" }],
        saturday: [],
        sunday: [],
      },
      overrides: [{ date: "2026-12-24", closed: true }],
    },
  ],
  ...exampleTimes,
});
setExample(CalendarCreate, { name: "Praxis", timezone: "Europe/Berlin", schedules: openingHours });
setExample(CalendarUpdate, { schedules: openingHours });

export const calendars = defineOperations(
  {
    api: "public",
    about: "Calendars whose schedules limit when assistants make appointments.",
    area: "calendars",
  },
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
