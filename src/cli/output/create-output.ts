import type { Format, Notes, Paint } from "../session.js";
import { selectFields, valueAt } from "./fields.js";
import { createFormatter } from "./formats.js";
import type { Output, View } from "./output.js";
import type { Writer } from "./writer.js";

/** Rows held before they are written: the first so many decide a table's widths. */
const batchSize = 100;

export interface OutputOptions {
  format: Format;
  fields: readonly string[] | undefined;
  writer: Writer;
  /** Cells of stdout's line, where it is a terminal. */
  columns: number | undefined;
  paint: Paint;
  notes: Notes;
}

const plainView: View = { columns: [] };

/** Results on stdout, whatever the format. */
export function createOutput({ format, fields, writer, columns, paint, notes }: OutputOptions): Output {
  const seen = new Set<string>();
  const select = (row: unknown): unknown => {
    if (!fields) return row;
    for (const field of fields) if (valueAt(row, field) !== undefined) seen.add(field);
    return selectFields(row, fields);
  };
  const nameUnseen = () => {
    for (const field of fields ?? [])
      if (!seen.has(field)) notes.warn(`--fields: nothing has a field "${field}"`);
  };
  const formatter = (view: View) => createFormatter(format, { view, fields, columns, paint });

  return {
    format,
    async item(value, view = plainView) {
      const text = await (await formatter(view)).item(select(value));
      await writer.write(text);
      nameUnseen();
    },
    async list(rows, view) {
      const { start, rows: rowsText, end } = await formatter(view);
      let count = 0;
      let started = false;
      let batch: unknown[] = [];
      const flush = async () => {
        if (!started) await writer.write(await start(batch));
        started = true;
        if (batch.length > 0) await writer.write(await rowsText(batch));
        count += batch.length;
        batch = [];
      };
      try {
        for await (const row of rows) {
          batch.push(select(row));
          if (batch.length === batchSize) await flush();
        }
        await flush();
      } catch (error) {
        // What came before a failure is still one whole document.
        if (batch.length > 0) await flush();
        if (started) await writer.write(await end(count));
        throw error;
      }
      await writer.write(await end(count));
      if (count > 0) nameUnseen();
      else if (format === "table") notes.note(view.empty ?? "nothing found");
      return count;
    },
    async text(text) {
      await writer.write(text);
    },
  };
}
