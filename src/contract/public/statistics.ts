import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { exampleIds, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { ObjectId } from "../primitives.js";

const Count = z.int().min(0);

const IsoDate = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const IsoMonth = z.string().regex(/^\d{4}-\d\d$/);
const totals = { total_calls: Count, total_duration_seconds: Count };

// public.operations.15, D-stats
const StatisticsSummary = z.object({
  weeks: assumed("D-stats", z.array(z.object({ week: z.int(), year: z.int() }))),
  assistants: assumed("D-stats", z.array(z.object({ id: ObjectId, name: z.string() }))),
});

const Usage = z.object({
  week: assumed("D-stats", z.int()),
  year: assumed("D-stats", z.int()),
  assistant_id: assumed("D-stats", z.string()),
  weekly: assumed(
    "D-stats",
    z.object({
      ...totals,
      days: z.array(z.object({ date: IsoDate, calls: Count, duration_seconds: Count })),
    }),
  ),
  monthly: assumed(
    "D-stats",
    z.object({
      month: IsoMonth,
      ...totals,
      weeks: z.array(z.object({ week: z.int(), year: z.int(), calls: Count, duration_seconds: Count })),
    }),
  ),
  last_24h: assumed("D-stats", z.object(totals)),
  hourly_call_counts_last_24h: assumed("D-stats", z.array(Count).length(24), z.array(z.unknown())),
});

/** public.operations.16a, public.limits.5 */
const wholeNumber = (minimum: number, maximum: number) => {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  return ruled(
    "public.operations.16a",
    z.coerce.number(message).int(message).min(minimum, message).max(maximum, message),
  );
};

const UsageQuery = ruled(
  "public.operations.16a",
  z.object({
    week: wholeNumber(1, 53),
    year: wholeNumber(2020, 2100),
    assistant_id: ruled(
      "public.operations.16a",
      z.union([z.literal("all"), ObjectId], "must be `all` or an assistant id"),
    ),
  }),
);

const quietDay = { calls: 0, duration_seconds: 0 };
setExample(StatisticsSummary, {
  weeks: [
    { week: 47, year: 2026 },
    { week: 46, year: 2026 },
  ],
  assistants: [{ id: exampleIds.assistant_id, name: "Empfang" }],
});
setExample(Usage, {
  week: 47,
  year: 2026,
  assistant_id: "all",
  weekly: {
    total_calls: 3,
    total_duration_seconds: 270,
    days: [
      { date: "2026-11-16", calls: 2, duration_seconds: 180 },
      { date: "2026-11-17", calls: 1, duration_seconds: 90 },
      { date: "2026-11-18", ...quietDay },
      { date: "2026-11-19", ...quietDay },
      { date: "2026-11-20", ...quietDay },
      { date: "2026-11-21", ...quietDay },
      { date: "2026-11-22", ...quietDay },
    ],
  },
  monthly: {
    month: "2026-11",
    total_calls: 5,
    total_duration_seconds: 480,
    weeks: [
      { week: 46, year: 2026, calls: 2, duration_seconds: 210 },
      { week: 47, year: 2026, calls: 3, duration_seconds: 270 },
    ],
  },
  last_24h: { total_calls: 1, total_duration_seconds: 90 },
  hourly_call_counts_last_24h: [...Array.from({ length: 23 }, () => 0), 1],
});

export const statistics = defineOperations(
  { api: "public", about: "Call counts and durations.", area: "statistics", feature: "statistics" },
  {
    "statistics.summary": {
      method: "GET",
      path: "/statistics/summary",
      summary: "List all assistants and the weeks with calls",
      responseShape: "item",
      response: StatisticsSummary,
    },
    "statistics.usage": {
      method: "GET",
      path: "/statistics/usage",
      summary: "Show call usage for a week, its month and the last 24 hours",
      query: UsageQuery,
      responseShape: "item",
      response: Usage,
      errors: [404],
    },
  },
);

export type Usage = z.output<typeof Usage>;
