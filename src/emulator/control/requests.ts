import type { requests } from "../../contract/control/requests.js";
import { isoTime } from "../kernel/clock.js";
import type { ControlHandlers } from "./handlers.js";

export const requestHandlers: ControlHandlers<typeof requests> = {
  "requests.list": ({ world }, { query }) =>
    world.database
      .prepare(
        "SELECT * FROM requests WHERE id > ?1 AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR path = ?3 OR substr(path, 1, length(?3) + 1) = ?3 || '?') ORDER BY id DESC LIMIT ?4",
      )
      .all(query.after ?? 0, query.status ?? null, query.path ?? null, query.limit)
      .map((row) => ({ ...row, at: isoTime(Number(row["at"])) })),
};
