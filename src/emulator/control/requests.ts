import * as z from "zod";
import type { Row } from "../../base/database.js";
import type { requests } from "../../contract/control/requests.js";
import { isoTime } from "../kernel/clock.js";
import { fillPage } from "../kernel/paging.js";
import { stripQuery } from "../paths.js";
import { notFound } from "../refusal.js";
import type { Routes } from "../routes.js";
import type { ControlContext, ControlHandlers } from "./handlers.js";

const brief = "id, at, method, path, status, code, rule, duration_ms, key_id, faults";

const searched = ["path", "method", "code", "rule", "request_body", "response_body"];

function toLikePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}

export const notFromPage = `(request_headers IS NULL OR instr(request_headers, '"x-emulator-ui"') = 0)`;

// plain-words: allow sentence-long
const where = `id >= ?1 AND (?2 IS NULL OR status = ?2)
  AND (?3 IS NULL OR path = ?3 OR substr(path, 1, length(?3) + 1) = ?3 || '?')
  AND id < ?4
  AND (?5 IS NULL OR ${searched.map((column) => `${column} LIKE ?5 ESCAPE '\\'`).join(" OR ")})`;

function toView({ at, faults, request_headers, response_headers, ...row }: Row): object {
  const json = (value: Row[string] | undefined) => JSON.parse(String(value));
  return {
    ...row,
    at: isoTime(Number(at)),
    faults: faults === null ? [] : json(faults),
    // With `brief`, headers are not read. In log entries from an older version of voxctl, headers are null.
    ...(request_headers === undefined
      ? {}
      : { request_headers: json(request_headers), response_headers: json(response_headers) }),
  };
}

type ListQuery = z.output<(typeof requests)["requests.list"]["query"]>;

/** Number of requests that one step of a search reads; low, because bodies can be very long. */
const searchedAtOnce = 250;

/** Pauses after each step, because a search through all bodies at once would block other requests. */
async function readPage({ state }: ControlContext, query: ListQuery): Promise<Row[]> {
  // The page must include requests that the log has not written to the database yet.
  state.flush();
  const only = [
    where,
    ...(query.errors === "true" ? ["status >= 400"] : []),
    ...(query.page === "false" ? [notFromPage] : []),
  ];
  const select = `SELECT ${query.brief === "true" ? brief : "*"} FROM requests WHERE ${only.join(" AND ")} ORDER BY id DESC LIMIT ?6`;
  const bounds = state.database.prepare("SELECT min(id) AS first, max(id) AS last FROM requests").get();
  const first = Math.max(Number(bounds?.["first"]), (query.after ?? 0) + 1);
  let before = Math.min(Number(bounds?.["last"]) + 1, query.before ?? Number.MAX_SAFE_INTEGER);
  const page: Row[] = [];
  while (before > first && page.length < query.limit) {
    while (state.busy) await state.busy;
    const from = query.search ? Math.max(first, before - searchedAtOnce) : first;
    const rows = state.database
      .prepare(select)
      .iterate(
        from,
        query.status ?? null,
        query.path ?? null,
        before,
        query.search ? toLikePattern(query.search) : null,
        query.limit - page.length,
      );
    if (!fillPage(page, rows)) break;
    before = from;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return page;
}

const Faults = z.array(z.object({ kind: z.string() }));

interface ErrorGroup {
  operation: string | null;
  method: string;
  path: string;
  status: number;
  code: string | null;
  rule: string | null;
  faults: string[];
  count: number;
  first_id: number;
  first_at: string;
  last_id: number;
  last_at: string;
}

/** The group with the latest error comes first. */
function groupErrors(rows: Iterable<Row>, routes: Routes): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const row of rows) {
    const [method, path, id, at] = [
      String(row["method"]),
      String(row["path"]),
      Number(row["id"]),
      isoTime(Number(row["at"])),
    ];
    const operation = routes.identify(method, stripQuery(path))?.name ?? null;
    const struckFaults: unknown = row["faults"] === null ? [] : JSON.parse(String(row["faults"]));
    const faults = Faults.parse(struckFaults).map(({ kind }) => kind);
    const matter = [operation ?? `${method} ?`, row["status"], row["code"], row["rule"], faults];
    const key = JSON.stringify(matter);
    const last = { path, last_id: id, last_at: at };
    const known = groups.get(key);
    // Delete the group before adding it again, so that the map is ordered by each group's latest error.
    groups.delete(key);
    groups.set(
      key,
      known
        ? { ...known, ...last, count: known.count + 1 }
        : {
            operation,
            method,
            status: Number(row["status"]),
            code: row["code"] === null ? null : String(row["code"]),
            rule: row["rule"] === null ? null : String(row["rule"]),
            faults,
            count: 1,
            first_id: id,
            first_at: at,
            ...last,
          },
    );
  }
  return [...groups.values()].reverse();
}

export const requestHandlers: ControlHandlers<typeof requests> = {
  "requests.list": {
    async prepare(context, { query }) {
      const page = await readPage(context, query);
      return () => page.map(toView);
    },
  },
  "requests.get": ({ state }, { path: { id } }) => {
    const row = state.database.prepare("SELECT * FROM requests WHERE id = ?").get(Number(id));
    if (!row) throw notFound(`the request ${id}`, "emulator.control");
    return toView(row);
  },
  "requests.errors": ({ state, routes }, { query }) =>
    groupErrors(
      state.database
        .prepare(
          `SELECT ${brief} FROM requests WHERE status >= 400 AND ${query.page === "false" ? notFromPage : "1"} ORDER BY id`,
        )
        .iterate(),
      routes,
    ),
  "requests.clear": ({ state }) => {
    // The deletion must include entries that the log has not written to the database yet.
    state.log.flush();
    return { cleared: state.database.prepare("DELETE FROM requests").run() };
  },
};
