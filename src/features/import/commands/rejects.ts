import { access, constants, rm } from "node:fs/promises";
import { dirname, extname, resolve } from "node:path";
import { describeFsError } from "../../../base/describe-fs-error.js";
import { isSameFile, resolveFileTarget, writeTarget } from "../../../base/file-target.js";
import { isFormula } from "../../../base/formulas.js";
import { unwritableFile } from "../../../base/input-file.js";
import { refusedError, usageError } from "../../../cli/errors/errors.js";
import { buildSpreadsheet, type SheetCell } from "../../../cli/output/xlsx.js";
import type { Session } from "../../../cli/session/session.js";
import type { ContactInput } from "../contacts/input.js";
import { isFormulaError } from "../sources/formula-errors.js";
import { errorColumn } from "../sources/surplus.js";
import type { SourceRow } from "../sources/types.js";
import { isAsWritten, recorded } from "./rejects-record.js";

const errorProperty = "X-VOXCTL-ERROR";

/**
 * Returns a function that writes the rejects file; undefined without `--rejects`. If all rows were imported,
 * the function writes no file and deletes the unedited file of an earlier run.
 * @param report absolute path of the results file, if requested
 * @throws usage error (exit code 2), before any request, if the file can't be written or is the input or
 * results file; `file_exists` (exit code 12) if the file must not be overwritten
 */
export async function createRejectsWriter(
  session: Session,
  path: string | undefined,
  input: ContactInput,
  report: string | undefined,
): Promise<((errorOf: (number: number) => string | undefined) => Promise<void>) | undefined> {
  if (path === undefined) return undefined;
  const { source } = input;
  const rejectsPath = resolve(session.io.cwd, path);
  const inputPath = resolve(session.io.cwd, source.name);
  if (isSameFile(rejectsPath, inputPath))
    throw usageError(`--rejects can't be the input file: ${path}`, { hint: "choose another file name" });
  if (report !== undefined && isSameFile(rejectsPath, report))
    throw usageError(`--rejects and --report can't be the same file: ${path}`);
  assertExtension(path, source.format);
  await assertWritable(session, path, rejectsPath);
  return async (errorOf) => {
    try {
      const waiting = { clock: session.clock, signal: session.signal };
      const target = await resolveFileTarget(rejectsPath);
      const isFile = target.type === "file" || target.type === "absent";
      if (isFile && !(await hasRejects(input, errorOf))) {
        if (target.type === "file" && (await isAsWritten(session.folders, target.path)) === true)
          await rm(target.path, { force: true });
        return;
      }
      await writeTarget(
        target,
        recorded(session.folders, target.path, formatRejects(input, errorOf)),
        waiting,
      );
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error) || "exit" in error) throw error;
      throw unwritableFile(`--rejects: ${path}`, error);
    }
  };
}

const endings: Readonly<Record<string, ContactInput["source"]["format"]>> = {
  ".csv": "csv",
  ".tsv": "csv",
  ".xlsx": "xlsx",
  ".json": "json",
  ".jsonl": "jsonl",
  ".ndjson": "jsonl",
  ".vcf": "vcard",
  ".vcard": "vcard",
};

/** voxctl writes rejected rows in the input file's format, so the extension must match this format. */
function assertExtension(path: string, format: ContactInput["source"]["format"]): void {
  const extensionFormat = endings[extname(path).toLowerCase()];
  if (extensionFormat !== undefined && extensionFormat !== format)
    throw usageError(
      `invalid --rejects ${path}: its extension must match the format of the input file, ${format === "vcard" ? "vCard" : format.toUpperCase()}`,
      {
        hint: `choose a file name that ends in ${Object.keys(endings).find((end) => endings[end] === format)}`,
      },
    );
}

/**
 * Refuses to overwrite an existing file, because the user may have corrected rows in it. Allows a file that
 * is unchanged since voxctl wrote it.
 * @throws usage error (exit code 2) if the file can't be written; `file_exists` (exit code 12) for an
 * existing file
 */
async function assertWritable({ folders }: Session, path: string, rejectsPath: string): Promise<void> {
  const target = await resolveFileTarget(rejectsPath);
  if (target.type === "fifo" || target.type === "device") return;
  const trouble = (reason: string) => usageError(`--rejects: ${path} can't be written: ${reason}`);
  if (target.type === "absent") {
    await access(dirname(target.path), constants.W_OK).catch((error: unknown) => {
      throw trouble(describeFsError(error, "write"));
    });
    return;
  }
  if (target.type !== "file")
    throw trouble(target.type === "folder" ? "it is a directory" : "it is not a file");
  const isUnchanged = await isAsWritten(folders, target.path);
  if (isUnchanged === true) return;
  const state = isUnchanged === undefined ? "already exists" : "was edited after voxctl wrote it";
  throw refusedError(
    "file_exists",
    `--rejects: ${path} ${state}`,
    isUnchanged === undefined
      ? "choose another file name"
      : "choose another file name, or import the corrected rows from the file and then delete it",
  );
}

async function hasRejects(
  { source }: ContactInput,
  errorOf: (number: number) => string | undefined,
): Promise<boolean> {
  for await (const { number } of source.rows()) if (errorOf(number) !== undefined) return true;
  return false;
}

interface Reject {
  row: SourceRow;
  names: readonly string[];
  values: readonly unknown[];
  unreadable: readonly boolean[];
  error: string;
}

async function* readRejects(
  { source }: ContactInput,
  errorOf: (number: number) => string | undefined,
): AsyncGenerator<Reject, void> {
  for await (const row of source.rows()) {
    const { names, values, unreadable } = row;
    const error = errorOf(row.number);
    if (error === undefined) continue;
    const positions = withoutError(names, values);
    yield {
      row,
      names: names.filter((name) => name !== errorColumn),
      values: positions.map((index) => values[index] ?? ""),
      unreadable: positions.map((index) => unreadable?.has(index) === true),
      error,
    };
  }
}

/** Returns the positions of all cells except the error that an earlier import added. */
function withoutError(names: readonly string[], values: readonly unknown[]): number[] {
  const errorIndex = names.indexOf(errorColumn);
  // If a malformed row has more cells than the header, the error is in the last cell with text.
  const last = values.findLastIndex((value) => String(value ?? "").trim() !== "");
  const dropped = errorIndex >= 0 && last >= names.length ? last : errorIndex;
  const length = Math.max(names.length, values.length);
  return Array.from({ length }, (_, index) => index).filter((index) => index !== dropped);
}

/**
 * Returns an unreadable cell of a spreadsheet with its type, so that a later import can't read it as text
 * unless the user corrects it. A formula becomes an error value, because it refers to cells of the input file.
 * An invalid number or boolean also becomes an error value, because spreadsheet programs would otherwise refuse
 * to open the file.
 */
function unreadableCell(text: string): SheetCell {
  if (text === "true" || text === "false") return { type: "b", value: text === "true" ? "1" : "0" };
  if (isFormulaError(text)) return text;
  return Number.isNaN(Number(text)) ? { type: "e", value: "#VALUE!" } : { type: "n", value: text };
}

async function* formatRejects(
  input: ContactInput,
  errorOf: (number: number) => string | undefined,
): AsyncGenerator<string | Uint8Array, void> {
  const { source, names } = input;
  const header = [...names.filter((name) => name !== errorColumn), errorColumn];
  const rows = readRejects(input, errorOf);
  if (source.format === "xlsx") {
    const cells = async function* () {
      for await (const { values, unreadable, error } of rows)
        yield [
          ...values.map((value, index) =>
            unreadable[index] === true ? unreadableCell(String(value)) : String(value),
          ),
          error,
        ];
    };
    yield* buildSpreadsheet(header, cells());
  } else if (source.format === "csv") {
    yield* formatCsv(input, header, rows);
  } else if (source.format === "vcard") {
    const { createRejectedCardWriter } = await import("../../../cli/output/vcard.js");
    const write = await createRejectedCardWriter(errorProperty);
    for await (const { row, error } of rows) yield write(row.raw ?? "", error);
  } else {
    yield* formatJson(source.format, rows);
  }
}

async function* formatCsv(
  { source }: ContactInput,
  header: readonly string[],
  rows: AsyncIterable<Reject>,
): AsyncGenerator<Uint8Array, void> {
  const { encoderOf } = await import("../index.js");
  const { delimiter = ",", quote = '"', marked } = source;
  const encode = encoderOf(source.encoding, marked);
  // Restore the apostrophe that voxctl removed when it read the cell. Without an apostrophe, a spreadsheet
  // would run the cell as a formula.
  const isGuarded = marked || delimiter !== ",";
  const isMultiLine = (cell: unknown) => /[\r\n]/.test(String(cell));
  const format = (cell: unknown, isQuoted = isMultiLine(cell)) => {
    const text = isGuarded && isFormula(String(cell)) ? `'${String(cell)}` : String(cell);
    const isPlain = quote === '"' && !isQuoted && !text.includes(delimiter) && !text.includes(quote);
    return isPlain ? text : `${quote}${text.replaceAll(quote, quote + quote)}${quote}`;
  };
  const line = (cells: readonly string[]) => `${cells.join(delimiter)}\r\n`;
  const rowOf = (cells: readonly unknown[]) => {
    // If a cell has several lines, quote every cell, so that an import doesn't mistake these lines for rows.
    const isQuoted = cells.some(isMultiLine);
    return cells.map((cell) => format(cell, isQuoted));
  };
  yield encode(line(rowOf(header)), true);
  for await (const { row, values, error } of rows) {
    // A row that can't be read is written unchanged, so that an import refuses it again unless it is corrected.
    if (row.written !== undefined)
      yield encode(line([writtenText(row, delimiter, format(error)), format(error)]), false);
    else if (row.isTruncated) yield encode(rowOf(row.values).join(delimiter), false);
    else yield encode(line(rowOf([...values, error])), false);
  }
}

/**
 * Returns a row's text without the error message that an earlier import added to the row. If a quote is not
 * closed, the message is part of the last cell.
 */
function writtenText({ names, values, written = [] }: SourceRow, delimiter: string, error: string): string {
  const text = written.join(delimiter).replace(/\n$/, "");
  if (!names.includes(errorColumn)) return text;
  const pattern = `${delimiter}${error}`.replace(/[^\p{L}\p{N}\s]/gu, "\\$&").replace(/\d+/g, "\\d+");
  const own = text.replace(new RegExp(`${pattern}$`), "");
  if (own !== text) return own;
  return withoutError(names, values)
    .flatMap((index) => written[index] ?? [])
    .join(delimiter);
}

async function* formatJson(
  format: "json" | "jsonl",
  rows: AsyncIterable<Reject>,
): AsyncGenerator<string, void> {
  let isFirst = true;
  if (format === "json") yield "[";
  for await (const { names, values, error } of rows) {
    // A line that is not a JSON object is copied unchanged into the member `line`.
    const record =
      names.length === 0
        ? { line: values[0], [errorColumn]: error }
        : { ...Object.fromEntries(names.map((name, index) => [name, values[index]])), [errorColumn]: error };
    const text = JSON.stringify(record);
    yield format === "json" ? `${isFirst ? "\n" : ",\n"}${text}` : `${text}\n`;
    isFirst = false;
  }
  if (format === "json") yield "\n]\n";
}
