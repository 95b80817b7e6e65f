import type { changes } from "../../contract/control/changes.js";
import type { EmulatorState } from "../emulator-state.js";
import { isoTime } from "../kernel/clock.js";
import type { ControlHandlers } from "./handlers.js";
import { findNextEvent } from "./next-event.js";
import { notFromPage } from "./requests.js";

export const changeHandlers: ControlHandlers<typeof changes> = {
  "changes.get": {
    // Wait outside the transaction, so that other requests are not blocked.
    prepare: async ({ state }, { query: { after, seen_request, wait_seconds } }) => {
      if (after !== undefined) await state.changes.after(after, wait_seconds * 1_000);
      return () => show(state, seen_request);
    },
  },
};

const countedAtMost = 1_000;

function show({ database, clock, changes }: EmulatorState, seen: number | undefined): object {
  const now = clock.now();
  const queryNumber = (sql: string, ...parameters: number[]) =>
    Number(database.prepare(`SELECT (${sql}) AS figure`).get(...parameters)?.["figure"] ?? 0);
  const lastRequest = queryNumber("SELECT max(id) FROM requests");
  const unseen = database
    .prepare(
      `SELECT count(*) AS requests, coalesce(sum(status >= 400), 0) AS errors FROM
        (SELECT status FROM requests WHERE id > ? AND ${notFromPage} LIMIT ${countedAtMost})`,
    )
    .get(seen ?? lastRequest);
  const next = findNextEvent(database, now);
  return {
    mode: clock.current,
    now: isoTime(now),
    revision: changes.revision,
    next_at: next ? isoTime(next.at) : null,
    last_request: lastRequest,
    unseen_requests: Number(unseen?.["requests"]),
    unseen_errors: Number(unseen?.["errors"]),
    calls_under_way: queryNumber(
      "SELECT count(*) FROM calls WHERE ended_at > ? AND created_at <= ?",
      now,
      now,
    ),
    faults: queryNumber(
      `SELECT count(*) FROM faults WHERE (times IS NULL OR struck < times)
        AND (expires_at IS NULL OR expires_at > ?)`,
      now,
    ),
  };
}
