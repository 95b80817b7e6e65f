import { BulkError } from "../errors.js";
import { digesting, type StoredBytes, storeBytes } from "./bytes.js";
import { readCsv } from "./csv.js";
import { byteOrderMark, decodeText, detectEncoding } from "./encoding.js";
import { detectFormat, refuseBinary } from "./format.js";
import { readJsonArray, readJsonl } from "./json.js";
import { inputName } from "./name.js";
import { type SpreadsheetLimits, spreadsheetLimits } from "./spreadsheet/limits.js";
import { isSpreadsheet, readSpreadsheet } from "./spreadsheet/read.js";
import type { Encoding, Format, Source, SourceRow } from "./types.js";

const headBytes = 4096;

export interface SourceOptions {
  /** As the user named it: for messages, and for its ending. */
  name: string;
  /** Overrides what name and content say. */
  format?: Format | undefined;
  /** Where a stream is kept while it is read. */
  temporaryFolder: string;
  /** Ends the reading, now and later, with its reason: a file may be long. */
  signal?: AbortSignal;
  /** Other bounds for a spreadsheet than the usual ones. */
  spreadsheet?: SpreadsheetLimits;
}

/**
 * Opens a CSV, TSV, JSONL, JSON or XLSX file, or a stream of one, and looks through it once: for its encoding, which only
 * the last byte can settle, and for its digest, by which a run knows it again.
 * @throws BulkError when there is no such file, or none that can be read as rows
 */
export async function openSource(
  input: { path: string } | { stream: AsyncIterable<Uint8Array | string> },
  options: SourceOptions,
): Promise<Source> {
  const name = inputName(options.name);
  const bytes = await storeBytes(input, options);
  try {
    const head = await bytes.head(headBytes);
    const spreadsheet =
      options.format === "xlsx" || (options.format === undefined && isSpreadsheet(head, options.name));
    if (!spreadsheet) refuseBinary(head, name);
    const encodings = detectEncoding(head);
    const digest = digesting();
    let length = 0;
    for await (const chunk of bytes.chunks()) {
      options.signal?.throwIfAborted();
      if (!spreadsheet) encodings.feed(chunk);
      digest.update(chunk);
      length += chunk.byteLength;
    }
    if (length === 0) throw new BulkError("empty_file", `${name} is empty`);
    const encoding = spreadsheet ? "utf-8" : encodings.result(name);
    const format = spreadsheet
      ? "xlsx"
      : (options.format ?? detectFormat(name, await startOf(head, encoding)));
    const hex = digest.hex();
    const marked = encoding !== "utf-8" || byteOrderMark(head) !== undefined;
    return {
      name: options.name,
      format,
      encoding,
      digest: hex,
      bytes: length,
      rows: () => rowsOf(bytes, { name, format, encoding, marked, digest: hex }, options),
      close: () => bytes.close(),
    };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

async function startOf(head: Uint8Array, encoding: Encoding): Promise<string> {
  let start = "";
  for await (const piece of decodeText(once(head), encoding)) start += piece;
  return start;
}

async function* once<T>(value: T): AsyncGenerator<T, void> {
  yield value;
}

async function* rowsOf(
  bytes: StoredBytes,
  source: { name: string; format: Format; encoding: Encoding; marked: boolean; digest: string },
  { signal, spreadsheet: limits = spreadsheetLimits }: SourceOptions,
): AsyncGenerator<SourceRow, readonly string[]> {
  const name = inputName(source.name);
  const digest = digesting();
  async function* observed(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of bytes.chunks()) {
      signal?.throwIfAborted();
      digest.update(chunk);
      yield chunk;
    }
  }
  let header: readonly string[] = [];
  if (source.format === "xlsx") header = yield* readSpreadsheet(observed(), name, limits, signal);
  else {
    const text = decodeText(observed(), source.encoding);
    if (source.format === "csv") header = yield* readCsv(text, name, source);
    else yield* source.format === "json" ? readJsonArray(text, name) : readJsonl(text, name);
  }
  if (digest.hex() !== source.digest) {
    throw new BulkError(
      "file_changed",
      `${name} changed while it was read`,
      "start again once it is at rest",
    );
  }
  return header;
}
