import type { Io } from "../../../base/io.js";
import { counted } from "../../../base/text.js";
import { valueAt } from "../../output/fields.js";
import { csvCell } from "../../output/formats.js";
import type { Session } from "../../session/session.js";

const batchSize = 500;

/** The rows as JSON Lines: everything that the service sent. */
export async function* jsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  const { stringifyExactJson } = await import("../../../base/exact-json.js");
  for await (const batch of batches(rows)) yield batch.map((row) => `${stringifyExactJson(row)}\n`).join("");
}

/**
 * The rows as CSV. As it is for programs; for a spreadsheet with a byte order mark, the delimiter of the locale and
 * nothing that it would run.
 */
export async function* csvText(
  rows: AsyncIterable<unknown>,
  { fields, excel }: { fields: readonly string[]; excel: boolean },
  { io, notes }: Pick<Session, "io" | "notes">,
): AsyncGenerator<string, void> {
  const [{ default: papaparse }, { isFormula, neutralizeCell }] = await Promise.all([
    import("papaparse"),
    import("../../../bulk/index.js"),
  ]);
  const delimiter = excel ? localeDelimiter(io.env) : ",";
  const lines = (cells: readonly (readonly string[])[]) =>
    `${papaparse.unparse(
      cells.map((row) => [...row]),
      { newline: "\n", delimiter },
    )}\n`;
  let formulas = 0;
  // With the first rows only: where none can be read, nothing is printed.
  let header = `${excel ? "\ufeff" : ""}${lines([fields])}`;
  for await (const batch of batches(rows)) {
    const cells = batch.map((row) => cellsOf(row, fields));
    if (!excel) for (const row of cells) formulas += row.filter(isFormula).length;
    yield header + lines(excel ? cells.map((row) => row.map(neutralizeCell)) : cells);
    header = "";
  }
  if (header !== "") yield header;
  if (formulas > 0)
    notes.warn(
      `${counted(formulas, "cell")} would be run as a formula by a spreadsheet that opens this; with --excel it does not`,
    );
}

/** The rows as a spreadsheet, whose cells are text and never run. */
export async function* spreadsheet(
  rows: AsyncIterable<unknown>,
  fields: readonly string[],
): AsyncGenerator<Uint8Array, void> {
  const { spreadsheetOf } = await import("../../output/xlsx.js");
  async function* cells(): AsyncGenerator<readonly string[], void> {
    for await (const row of rows) yield cellsOf(row, fields);
  }
  yield* spreadsheetOf(fields, cells());
}

function cellsOf(row: unknown, fields: readonly string[]): string[] {
  return fields.map((field) => csvCell(valueAt(row, field)));
}

async function* batches(rows: AsyncIterable<unknown>): AsyncGenerator<unknown[], void> {
  let batch: unknown[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A spreadsheet splits by semicolon where numbers have a decimal comma. */
function localeDelimiter(env: Io["env"]): string {
  const named = (env["LC_ALL"] || env["LC_NUMERIC"] || env["LANG"] || "").replace(/[.@].*$/, "");
  const tag = /^(|C|POSIX)$/.test(named) ? undefined : named.replaceAll("_", "-");
  return numberFormat(tag).format(1.5).includes(",") ? ";" : ",";
}

function numberFormat(tag: string | undefined): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(tag);
  } catch {
    return new Intl.NumberFormat();
  }
}
