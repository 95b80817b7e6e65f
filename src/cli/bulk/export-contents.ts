import { getValueAt } from "../../base/fields.js";
import { createCsv, csvCell } from "../output/csv.js";
import type { Session } from "../session/session.js";

const batchSize = 500;

export async function* formatJsonLines(rows: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  const { stringifyExactJson } = await import("../../base/exact-json.js");
  for await (const batch of toBatches(rows))
    yield batch.map((row) => `${stringifyExactJson(row)}\n`).join("");
}

export async function* formatCsv(
  rows: AsyncIterable<unknown>,
  fields: readonly string[],
  { flags: { excel }, io, notes }: Pick<Session, "flags" | "io" | "notes">,
): AsyncGenerator<string, void> {
  const csv = await createCsv({ excel, io }, notes);
  // Delay the header until the first rows arrive, so that voxctl prints no header if a read fails.
  let header = csv.header(fields);
  for await (const batch of toBatches(rows)) {
    yield header + csv.rows(batch.map((row) => toCells(row, fields)));
    header = "";
  }
  if (header !== "") yield header;
  csv.end();
}

export async function* formatSpreadsheet(
  rows: AsyncIterable<unknown>,
  fields: readonly string[],
): AsyncGenerator<Uint8Array, void> {
  const { buildSpreadsheet: spreadsheetOf } = await import("../output/xlsx.js");
  async function* cells(): AsyncGenerator<readonly string[], void> {
    for await (const row of rows) yield toCells(row, fields);
  }
  yield* spreadsheetOf(fields, cells());
}

export async function* formatVcards(rows: AsyncIterable<unknown>): AsyncGenerator<string, void> {
  const { createCardWriter } = await import("../output/vcard.js");
  const write = await createCardWriter();
  const textAt = (row: unknown, field: string) => String(getValueAt(row, field) ?? "");
  const listAt = (row: unknown, field: string) => {
    const value = getValueAt(row, field);
    return Array.isArray(value) ? value.map(String) : [];
  };
  for await (const batch of toBatches(rows))
    yield batch
      .map((row) =>
        write({
          id: textAt(row, "id"),
          first_name: textAt(row, "first_name"),
          last_name: textAt(row, "last_name"),
          phone_numbers: listAt(row, "phone_numbers"),
          emails: listAt(row, "emails"),
        }),
      )
      .join("");
}

function toCells(row: unknown, fields: readonly string[]): string[] {
  return fields.map((field) => csvCell(getValueAt(row, field)));
}

async function* toBatches(rows: AsyncIterable<unknown>): AsyncGenerator<unknown[], void> {
  let batch: unknown[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
