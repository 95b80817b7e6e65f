import { stringifyExactJson } from "../../base/exact-json.js";
import { getValueAt, selectFields } from "../../base/fields.js";
import type { Io } from "../../base/io.js";
import { escapeControl, formatCount } from "../../base/text.js";
import { CliError } from "../errors/errors.js";
import type { Notes } from "../terminal/notes.js";
import { type Paint, type Text, toLines } from "../terminal/paint.js";
import { isRead } from "../terminal/workflow-commands.js";
import { wrapIndented } from "../terminal/wrap.js";
import { assertFieldsExist } from "./field-names.js";
import { createFormatter, type Formatter } from "./formats.js";
import type { JqQuery } from "./jq.js";
import type { Format, Output, View } from "./output.js";
import type { Writer } from "./writer.js";

/** The first batch determines the column widths of a table. */
const batchSize = 100;

export interface OutputOptions {
  format: Format;
  fields: readonly string[] | undefined;
  /** jq expression that filters the results as one document. */
  jq?: JqQuery | undefined;
  writer: Writer;
  terminal: boolean;
  /** Returns the width of the terminal in cells; undefined if unbounded. */
  columns: () => number | undefined;
  /** Returns the service's current time in milliseconds. */
  now: () => number;
  plain: boolean;
  paint: Paint;
  notes: Notes;
  excel: boolean;
  io: Pick<Io, "env" | "systemLocale">;
  /**
   * Returns whether the command made changes. After a change, an invalid `--fields` only causes a warning,
   * because exit code 2 means that no request was sent.
   */
  hasChanged: () => boolean;
}

const plainView: View = { columns: [] };
const noJson = "--jq requires JSON output, but this command prints text";

export function createOutput({
  format,
  fields,
  jq,
  writer,
  terminal,
  columns,
  now,
  plain,
  paint,
  notes,
  excel,
  io,
  hasChanged,
}: OutputOptions): Output {
  const seen = new Set<string>();
  const noted = (row: unknown): unknown => {
    for (const field of fields ?? []) if (getValueAt(row, field) !== undefined) seen.add(field);
    return row;
  };
  const select = (row: unknown): unknown => (fields ? selectFields(noted(row), fields) : row);
  const nameUnseen = () => {
    for (const field of fields ?? [])
      if (!seen.has(field)) notes.warn(`--fields: no result has a field "${field}"`);
  };
  const checkFields = (rows: readonly unknown[], view: View) => {
    if (fields && !hasChanged() && !view.anyFields) assertFieldsExist(fields, rows, view);
  };
  const formatter = (view: View) =>
    createFormatter(format, {
      ...{ view, fields, columns, paint, plain, now: terminal ? now : undefined },
      ...{ excel, io, notes, isRead: isRead(io) },
    });
  let isDisarmedReported = false;
  const writeDocument = async (text: string) => {
    await writer.writeDocument(text);
    if (!writer.isDisarmed || isDisarmedReported) return;
    isDisarmedReported = true;
    notes.warn(
      "some text was escaped, because GitHub would run it as a workflow command; to get the unchanged text, write to a file: > FILE",
    );
  };
  const writerFor =
    ({ isDocument = false }: Formatter) =>
    (text: Text) =>
      isDocument && typeof text === "string" ? writeDocument(text) : writer.write(text);
  const footer = (view: View, count: number, leftOut: readonly string[]) => {
    const what = view.noun ? formatCount(count, view.noun, view.plural) : String(count);
    const more = view.more?.();
    if (more === "certain") notes.note(`Showing the first ${what}. For more, use --limit or --all.`);
    else if (more === "possible")
      notes.warn(`showing ${what}; more may exist, because the response has an unknown paging format`);
    else if (view.noun && terminal && format === "table" && count > 0) notes.note(what);
    if (terminal && leftOut.length > 0)
      notes.note(`Hidden columns: ${leftOut.join(", ")}. To show them, use --wide.`);
  };

  /** If the expression fails after a change, prints the unfiltered result. */
  const writeQueried = (query: JqQuery, document: unknown) =>
    writeQueriedText(query, stringifyExactJson(document ?? null));
  const writeQueriedText = async (query: JqQuery, text: string) => {
    try {
      const result = query.run(text);
      // With -o json, strings are printed without quotes, and a file must contain them unchanged.
      // `writeDocument` escapes control characters only on a terminal; `write` always escapes them.
      await (format === "ndjson" ? writer.write(result) : writeDocument(result));
    } catch (error) {
      if (!hasChanged() || !(error instanceof CliError)) throw error;
      notes.warn(`${error.message}; printing the unfiltered result`);
      await writer.write(`${text}\n`);
    }
  };

  return {
    format,
    async item(value, view = plainView) {
      checkFields([value], view);
      if (jq) {
        await writeQueried(jq, select(value));
        nameUnseen();
        return;
      }
      const form = await formatter(view);
      await writerFor(form)(await form.item(select(value)));
      nameUnseen();
    },
    async list(rows, view) {
      if (jq) {
        const all: unknown[] = [];
        for await (const row of rows) all.push(row);
        checkFields(all, view);
        await writeQueried(jq, all.map(select));
        footer(view, all.length, []);
        return all.length;
      }
      const form = await formatter(view);
      const write = writerFor(form);
      const { start, rows: rowsText, end, leftOut } = form;
      let count = 0;
      let started = false;
      let batch: unknown[] = [];
      // Rows with all fields, to check --fields before any row is written.
      const given: unknown[] = [];
      const flush = async () => {
        if (!started) {
          checkFields(given, view);
          await write(await start(batch));
        }
        started = true;
        if (batch.length > 0) await write(await rowsText(batch));
        count += batch.length;
        batch = [];
      };
      try {
        for await (const row of rows) {
          if (!started) given.push(row);
          // A table needs all fields, to distinguish missing fields from null.
          batch.push(format === "table" ? noted(row) : select(row));
          if (batch.length === batchSize) await flush();
        }
        await flush();
      } catch (error) {
        // Even if a later row fails, the output must be a complete document.
        if (batch.length > 0) await flush();
        if (started) await write(await end(count));
        throw error;
      }
      await write(await end(count));
      if (count > 0) nameUnseen();
      else if (format === "table") notes.note(view.empty ?? "nothing found");
      footer(view, count, leftOut?.() ?? []);
      return count;
    },
    async json(pieces) {
      let whole = "";
      for await (const piece of pieces) {
        if (jq) whole += piece;
        else await writer.write(piece);
      }
      if (jq) await writeQueriedText(jq, whole);
    },
    async text(text) {
      if (jq) notes.warn(noJson);
      await writer.write(text);
    },
    async lines(lines) {
      if (jq) notes.warn(noJson);
      const width = plain ? undefined : columns();
      const wrap = (line: Text) =>
        width === undefined || typeof line !== "string" ? [line] : wrapIndented(escapeControl(line), width);
      await writer.write(toLines(lines.flatMap(wrap)));
    },
    async document(text) {
      if (jq) notes.warn(noJson);
      await writeDocument(text);
    },
  };
}
