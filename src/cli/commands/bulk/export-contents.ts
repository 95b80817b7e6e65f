import { createCsv, csvCell } from "../../output/csv.js";
import { valueAt } from "../../output/fields.js";
import type { Session } from "../../session/session.js";

const batchSize = 500;

/** The rows as JSON Lines: everything that the service sent. */
export async function* jsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  const { stringifyExactJson } = await import("../../../base/exact-json.js");
  for await (const batch of batches(rows)) yield batch.map((row) => `${stringifyExactJson(row)}\n`).join("");
}

/** The rows as CSV; see createCsv. */
export async function* csvText(
  rows: AsyncIterable<unknown>,
  { fields, excel }: { fields: readonly string[]; excel: boolean },
  { io, notes }: Pick<Session, "io" | "notes">,
): AsyncGenerator<string, void> {
  const csv = await createCsv({ excel, io }, notes);
  // With the first rows only: where none can be read, nothing is printed.
  let header = csv.header(fields);
  for await (const batch of batches(rows)) {
    yield header + csv.rows(batch.map((row) => cellsOf(row, fields)));
    header = "";
  }
  if (header !== "") yield header;
  csv.end();
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
