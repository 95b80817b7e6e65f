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
          "SELECT * FROM requests WHERE id > ?1 AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR path = ?3 OR substr(path, 1, length(?3) + 1) = ?3 || '?') ORDER BY id DESC LIMIT ?4",
        )
        .all(query.after ?? 0, query.status ?? null, query.path ?? null, query.limit)
        .map((row) => ({ ...row, at: isoTime(Number(row["at"])) })),
  }),
];
