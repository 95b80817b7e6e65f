import * as z from "zod";
import { assumed, ruled } from "../assumed.js";

/** public.calendar.kinds */
const scheduleTypes = ["opening", "service", "office", "operating"] as const;

const ScheduleType = ruled(
  "public.calendar.kinds",
  z.enum(scheduleTypes, `must be one of ${scheduleTypes.join(", ")}`),
);

const timeForm = /^([01]\d|2[0-3]):[0-5]\d$/;
const From = z.string("must be a time like 08:30").regex(timeForm, "must be a time like 08:30");
const To = z
  .string("must be a time like 17:00")
  .refine(
    (text) => text === "24:00" || timeForm.test(text),
    "must be a time like 17:00, or 24:00 for the end of the day",
  )
  .meta({ pattern: "^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$" });

// `HH:MM` times can be compared as text.
const Interval = z
  .strictObject({ from: From, to: To })
  .refine(({ from, to }) => from < to, { path: ["to"], message: "must be later than from" });

/**
 * Intervals must be in order and must not overlap. An empty list means that the day is closed (D-calendar).
 */
const Intervals = z.array(Interval, "must be a list of {from, to}").superRefine((intervals, context) => {
  for (const [index, { from }] of intervals.entries()) {
    const before = intervals[index - 1];
    if (before && from < before.to) {
      context.addIssue({
        code: "custom",
        path: [index, "from"],
        message: `must not be before ${before.to}, the end of the previous interval`,
      });
    }
  }
});

const Day = Intervals.default([]);
const Weekly = assumed(
  "D-calendar",
  z.strictObject(
    { monday: Day, tuesday: Day, wednesday: Day, thursday: Day, friday: Day, saturday: Day, sunday: Day },
    "must be an object with weekdays as keys",
  ),
);

/** An override is `{date, closed: true}` or `{date, intervals}` (D-calendar). */
const Override = z
  .strictObject({
    date: z.iso.date("must be a date like 2026-12-24"),
    closed: z.literal(true, "must be true or omitted").optional(),
    intervals: Intervals.optional(),
  })
  .superRefine(({ closed, intervals }, context) => {
    if ((closed === undefined) !== (intervals === undefined)) return;
    const message =
      closed === undefined
        ? "requires either `closed` or `intervals`"
        : "can't have both `closed` and `intervals`";
    context.addIssue({ code: "custom", path: [closed === undefined ? "intervals" : "closed"], message });
  })
  .meta({
    if: { required: ["closed"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { not: { required: ["intervals"] } },
    else: { required: ["intervals"] },
  });

const Overrides = assumed(
  "D-calendar",
  z.array(Override, "must be a list of days").superRefine((overrides, context) => {
    const seen = new Set<string>();
    for (const [index, { date }] of overrides.entries()) {
      if (seen.has(date)) {
        context.addIssue({
          code: "custom",
          path: [index, "date"],
          message: `${date} already has an override`,
        });
      }
      seen.add(date);
    }
  }),
);

/** A schedule has a type, a weekly template, and overrides for single dates (public.calendar.kinds). */
export const Schedule = z.strictObject(
  { kind: ScheduleType, weekly: Weekly, overrides: Overrides.default([]) },
  "must be an object",
);
