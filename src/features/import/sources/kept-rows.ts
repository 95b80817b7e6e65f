import type { Source, SourceRow } from "./types.js";

/** After the first complete reading, the returned function yields the rows from memory. */
export function keepRows(read: Source["rows"]): Source["rows"] {
  let kept: { rows: readonly SourceRow[]; header: readonly string[] } | undefined;
  return async function* () {
    if (kept !== undefined) {
      for (const row of kept.rows) yield row;
      return kept.header;
    }
    const source = read();
    const rows: SourceRow[] = [];
    try {
      for (;;) {
        const next = await source.next();
        if (next.done) {
          kept = { rows, header: next.value };
          return next.value;
        }
        rows.push(next.value);
        yield next.value;
      }
    } finally {
      await source.return([]);
    }
  };
}
