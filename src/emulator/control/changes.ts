import type { changes } from "../../contract/control/changes.js";
import { isoTime } from "../kernel/clock.js";
import type { World } from "../world.js";
import type { ControlHandlers } from "./handlers.js";
import { nextEvent } from "./next-event.js";
import { notOfPage } from "./requests.js";

export const changeHandlers: ControlHandlers<typeof changes> = {
  "changes.get": {
    // While it waits it holds nothing: the world is looked at afterwards.
    prepare: async ({ world }, { query: { after, seen_request, wait_seconds } }) => {
      if (after !== undefined) await world.changes.after(after, wait_seconds * 1_000);
      return () => show(world, seen_request);
    },
  },
};

/** Unseen changes are counted no further: a page says that there are more. */
const countedAtMost = 1_000;

function show({ database, clock, changes }: World, seen: number | undefined): object {
  const now = clock.now();
  const figure = (sql: string, ...parameters: number[]) =>
    Number(database.prepare(`SELECT (${sql}) AS figure`).get(...parameters)?.["figure"] ?? 0);
  const lastRequest = figure("SELECT max(id) FROM requests");
  const unseen = database
    .prepare(
      `SELECT count(*) AS requests, coalesce(sum(status >= 400), 0) AS errors FROM
        (SELECT status FROM requests WHERE id > ? AND ${notOfPage} LIMIT ${countedAtMost})`,
    )
    .get(seen ?? lastRequest);
  const next = nextEvent(database, now);
  return {
    mode: clock.current,
    now: isoTime(now),
    revision: changes.revision,
    next_at: next ? isoTime(next.at) : null,
    last_request: lastRequest,
    unseen_requests: Number(unseen?.["requests"]),
    unseen_errors: Number(unseen?.["errors"]),
    calls_under_way: figure("SELECT count(*) FROM calls WHERE ended_at > ? AND created_at <= ?", now, now),
    faults: figure(
      `SELECT count(*) FROM faults WHERE (times IS NULL OR struck < times)
        AND (expires_at IS NULL OR expires_at > ?)`,
      now,
    ),
  };
}
