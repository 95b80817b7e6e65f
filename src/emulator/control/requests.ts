import type { Row } from "../../base/database.js";
import type { requests } from "../../contract/control/requests.js";
import { isoTime } from "../kernel/clock.js";
import { notFound } from "../refusal.js";
import type { ControlHandlers } from "./handlers.js";

const brief = "id, at, method, path, status, code, rule, duration_ms, key_id, faults";

const searched = ["path", "method", "code", "rule", "request_body", "response_body"];

/** Whatever it holds, a text that LIKE takes as it is. */
function partOf(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

const where = `id > ?1 AND (?2 IS NULL OR status = ?2)
  AND (?3 IS NULL OR path = ?3 OR substr(path, 1, length(?3) + 1) = ?3 || '?')
  AND (?4 IS NULL OR id < ?4)
  AND (?5 IS NULL OR ${searched.map((column) => `${column} LIKE ?5 ESCAPE '\\'`).join(" OR ")})`;

function shown({ at, faults, request_headers, response_headers, ...row }: Row): object {
  const json = (value: Row[string] | undefined) => JSON.parse(String(value));
  return {
    ...row,
    at: isoTime(Number(at)),
    faults: faults === null ? [] : json(faults),
    // Null of those that an older voxctl wrote.
    ...(request_headers === undefined
      ? {}
      : { request_headers: json(request_headers), response_headers: json(response_headers) }),
  };
}

export const requestHandlers: ControlHandlers<typeof requests> = {
  "requests.list": ({ world }, { query }) => {
    const only = [
      where,
      ...(query.errors === "true" ? ["status >= 400"] : []),
      ...(query.page === "false"
        ? [`(request_headers IS NULL OR instr(request_headers, '"x-emulator-ui"') = 0)`]
        : []),
    ];
    return world.database
      .prepare(
        `SELECT ${query.brief === "true" ? brief : "*"} FROM requests WHERE ${only.join(" AND ")} ORDER BY id DESC LIMIT ?6`,
      )
      .all(
        query.after ?? 0,
        query.status ?? null,
        query.path ?? null,
        query.before ?? null,
        query.search ? partOf(query.search) : null,
        query.limit,
      )
      .map(shown);
  },
  "requests.get": ({ world }, { path: { id } }) => {
    const row = world.database.prepare("SELECT * FROM requests WHERE id = ?").get(Number(id));
    if (!row) throw notFound(`the request ${id}`, "emulator.control");
    return shown(row);
  },
  "requests.clear": ({ world }) => {
    // An entry that waits for its batch was there as well.
    world.log.flush();
    return { cleared: world.database.prepare("DELETE FROM requests").run() };
  },
};
