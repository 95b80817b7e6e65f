import * as z from "zod";
import { isoTime } from "../kernel/clock.js";
import { type ControlCall, controlCall } from "./call.js";

const RequestsQuery = z.object({
  limit: z.coerce.number().int().min(1).max(10_000).default(100),
  /** An id: only what came after it, for following. */
  after: z.coerce.number().int().min(0).optional(),
  status: z.coerce.number().int().optional(),
  path: z.string().optional(),
});

export const requestCalls: readonly ControlCall[] = [
  controlCall({
    method: "GET",
    path: "/requests",
    query: RequestsQuery,
    list: true,
    run: ({ world }, { query }) =>
      world.database
        .prepare(
          "SELECT * FROM requests WHERE id > ? AND (? IS NULL OR status = ?) AND (? IS NULL OR path = ? OR path LIKE ? || '?%') ORDER BY id DESC LIMIT ?",
        )
        .all(
          query.after ?? 0,
          query.status ?? null,
          query.status ?? null,
          query.path ?? null,
          query.path ?? null,
          query.path ?? null,
          query.limit,
        )
        .map((row) => ({ ...row, at: isoTime(Number(row["at"])) })),
  }),
];
