import { useEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../context.js";
import type { Control } from "../control.js";
import { getMessage } from "../live.js";
import { number, type Row, rowsOf, text } from "../rows.js";

const pageSize = 50;
const shownAtMost = 500;
/** Minimum time between announcements, so that a screen reader stays usable. */
const quietMilliseconds = 3_000;

interface Filters {
  search: string;
  errors: boolean;
  own: boolean;
  before: string;
}

interface Followed {
  rows: readonly Row[];
  error: string | undefined;
  hasMore: boolean;
  reading: boolean;
}

const nothing: Followed = { rows: [], error: undefined, hasMore: false, reading: true };

function buildQuery({ search, errors, own }: Filters): URLSearchParams {
  return new URLSearchParams({
    brief: "true",
    page: String(own),
    ...(errors ? { errors: "true" } : {}),
    ...(search === "" ? {} : { search }),
  });
}

/** Returns the ID of the newest entry. Later reads start after this ID, because the log can be long. */
async function readNewestId(control: Control): Promise<number> {
  return number(rowsOf(await control.get("/requests?limit=1&brief=true"))[0] ?? {}, "id");
}

export function useFollowed(filters: Filters, follows: boolean): Followed {
  const { control, pulse, notify } = useApp();
  const [state, setState] = useState<Followed>(nothing);
  const latest = useRef(0);
  const key = JSON.stringify(filters);

  useEffect(() => {
    let isCurrent = true;
    setState(nothing);
    const begin = async () => {
      const newest = await readNewestId(control);
      const query = buildQuery(filters);
      query.set("limit", String(pageSize + 1));
      if (filters.before !== "") query.set("before", filters.before);
      const rows = rowsOf(await control.get(`/requests?${query}`));
      if (!isCurrent) return;
      latest.current = Math.max(newest, number(rows[0] ?? {}, "id"));
      const hasMore = rows.length > pageSize;
      setState({ rows: rows.slice(0, pageSize), error: undefined, hasMore, reading: false });
    };
    begin().catch((error: unknown) => {
      if (isCurrent) setState({ ...nothing, error: getMessage(error), reading: false });
    });
    return () => {
      isCurrent = false;
    };
  }, [key, control]);

  useEffect(() => {
    if (!follows || state.reading) return;
    let isFollowing = true;
    let isBusy = false;
    const announce = createAnnouncer(notify);
    const read = async () => {
      const newest = pulse.news().lastRequest;
      if (newest <= latest.current || !isFollowing) return;
      const query = buildQuery(filters);
      query.set("limit", String(shownAtMost + 1));
      query.set("after", String(latest.current));
      const rows = rowsOf(await control.get(`/requests?${query}`));
      if (!isFollowing) return;
      latest.current = Math.max(newest, number(rows[0] ?? {}, "id"));
      if (rows.length === 0) return;
      announce(rows);
      setState((before) => {
        const known = new Set(before.rows.map((row) => number(row, "id")));
        const fresh = rows.filter((row) => !known.has(number(row, "id")));
        const all = [...fresh, ...before.rows];
        const hasMore = before.hasMore || all.length > shownAtMost;
        return { ...before, rows: all.slice(0, shownAtMost), hasMore };
      });
    };
    const follow = () => {
      if (isBusy) return;
      isBusy = true;
      read()
        // The pulse already reports that the emulator does not respond.
        .catch(() => {})
        .finally(() => {
          isBusy = false;
        });
    };
    const end = pulse.subscribe(follow);
    // Entries might have arrived during the pause or before the first page was read.
    follow();
    return () => {
      isFollowing = false;
      end();
    };
  }, [key, control, follows, state.reading]);

  return state;
}

function createAnnouncer(notify: (message: string) => void): (rows: readonly Row[]) => void {
  let unheard = 0;
  let isQuiet = false;
  let newest: Row = {};
  const announce = () => {
    if (isQuiet || unheard === 0) return;
    const what = `${text(newest, "method")} ${text(newest, "path").slice(0, 60)}, ${text(newest, "status")}`;
    notify(unheard === 1 ? `New request: ${what}` : `${unheard} new requests; the last one is ${what}`);
    unheard = 0;
    isQuiet = true;
    setTimeout(() => {
      isQuiet = false;
      announce();
    }, quietMilliseconds);
  };
  return (rows) => {
    unheard += rows.length;
    newest = rows[0] ?? newest;
    announce();
  };
}
