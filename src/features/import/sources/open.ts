import { BulkError } from "../../../write/errors.js";
import { digesting, type StoredBytes, storeBytes } from "./bytes.js";
import { readCsv } from "./csv.js";
import { type CsvLayout, csvLayout, startOfText } from "./csv-layout.js";
import {
  byteOrderMark,
  decodeText,
  detectEncoding,
  parseEncoding,
  refuseAsUtf8,
  watchUtf8,
} from "./encoding.js";
import { assertSupportedText, detectFormat, refuseBinary } from "./format.js";
import { readJsonArray, readJsonl } from "./json.js";
import { keepRows } from "./kept-rows.js";
import type { LayoutOptions } from "./layout.js";
import { inputName } from "./name.js";
import { type SpreadsheetLimits, spreadsheetLimits } from "./spreadsheet/limits.js";
import { isSpreadsheet, readSpreadsheet, type SheetLayout, spreadsheetLayout } from "./spreadsheet/read.js";
import type { Encoding, Format, Source, Unseen } from "./types.js";
import { type IgnoredProperties, readVcards } from "./vcard/read.js";

const headBytes = 4096;
/** Maximum size in bytes of a file whose rows are kept in memory after the first reading. */
const keptBytes = 1024 * 1024;

export interface SourceOptions {
  /** Name as typed, for messages and for detecting the format. */
  name: string;
  temporaryFolder: string;
  /** Aborts the current and all later readings, with the signal's reason. */
  signal?: AbortSignal;
  spreadsheet?: SpreadsheetLimits;
  /** Encoding as in `--encoding`; default: detected. */
  encoding?: string | undefined;
  layout?: LayoutOptions | undefined;
  /** Whether the records are contacts, so that vCards are accepted. */
  hasContacts?: boolean;
}

/**
 * Scans the whole content to detect the encoding and to compute the digest that identifies the file in a run.
 * @throws BulkError if the file doesn't exist or has no readable rows
 */
export async function openSource(
  input: { path: string } | { stream: AsyncIterable<Uint8Array | string> },
  options: SourceOptions,
): Promise<Source> {
  const name = inputName(options.name);
  const bytes = await storeBytes(input, options);
  try {
    const head = await bytes.head(headBytes);
    const spreadsheet = isSpreadsheet(head, options.name);
    const requestedEncoding = options.encoding === undefined ? undefined : parseEncoding(options.encoding);
    if (!spreadsheet && requestedEncoding === undefined) refuseBinary(head, name);
    const utf8 = watchUtf8();
    const digest = digesting();
    let length = 0;
    let hasBackslash = false;
    let last: Uint8Array = new Uint8Array();
    for await (const chunk of bytes.chunks()) {
      options.signal?.throwIfAborted();
      if (!spreadsheet) utf8.feed(chunk);
      digest.update(chunk);
      last = chunk;
      length += chunk.byteLength;
      hasBackslash ||= chunk.includes(0x5c);
    }
    if (length === 0) throw new BulkError("empty_file", `${name} is empty`);
    if (requestedEncoding === "utf-8" && !spreadsheet && !utf8.isUtf8())
      await refuseAsUtf8(bytes.chunks(), name);
    const detected = () => detectEncoding(head, utf8.isUtf8(), bytes.chunks(), name);
    // A byte order mark takes precedence over --encoding: a rejects file may have a different encoding than the
    // file that was imported first.
    const unmarkedEncoding = byteOrderMark(head) === undefined ? requestedEncoding : undefined;
    const encoding = unmarkedEncoding ?? (spreadsheet ? "utf-8" : await detected());
    const start = spreadsheet ? "" : await startOf(head, encoding);
    assertSupportedText(start, name);
    const format = spreadsheet ? "xlsx" : detectFormat(name, start);
    if (format === "vcard" && !options.hasContacts)
      throw new BulkError(
        "unsupported_file",
        `${name} is a vCard file, from which only contacts can be imported`,
        "to import the contacts, use `voxctl contacts import`",
      );
    const hex = digest.hex();
    const marked = encoding !== "utf-8" || byteOrderMark(head) !== undefined;
    const layout = options.layout ?? {};
    const text = () => decodeText(bytes.chunks(), encoding);
    const csv =
      format === "csv"
        ? await csvLayout(await startOfText(text()), name, layout, hasBackslash ? text : undefined)
        : undefined;
    const sheet = spreadsheet
      ? await spreadsheetLayout(
          bytes.chunks(),
          name,
          options.spreadsheet ?? spreadsheetLimits,
          layout,
          options.signal,
        )
      : undefined;
    const headerLine = csv?.headerLine ?? sheet?.headerLine;
    const ignored: IgnoredProperties = new Map();
    const rows = () =>
      rowsOf(bytes, { name, format, encoding, marked, digest: hex, csv, sheet, ignored }, options);
    return {
      name: options.name,
      format,
      encoding,
      digest: hex,
      bytes: length,
      marked,
      endsWithLineEnd: spreadsheet || endsLine(last, encoding),
      ...(csv === undefined ? {} : { delimiter: csv.dialect.delimiter, quote: csv.dialect.quote }),
      ...(sheet === undefined || sheet.sheets < 2 ? {} : { sheet: sheet.name }),
      ...(sheet === undefined ? {} : { unseen: unseenOf(sheet) }),
      ...(headerLine === undefined ? {} : { headerLine }),
      ...(format === "vcard" ? { ignoredProperties: () => ignored } : {}),
      rows: !spreadsheet && length <= keptBytes ? keepRows(rows) : rows,
      close: () => bytes.close(),
    };
  } catch (error) {
    await bytes.close();
    throw error;
  }
}

function unseenOf({ facts, furtherSheets }: SheetLayout): Unseen {
  return { ...facts, furtherSheets, filled: facts.filled.map(({ ref }) => ref) };
}

async function startOf(head: Uint8Array, encoding: Encoding): Promise<string> {
  let start = "";
  for await (const piece of decodeText(once(head), encoding)) start += piece;
  return start;
}

function endsLine(last: Uint8Array, encoding: Encoding): boolean {
  const end = encoding === "utf-16le" ? last.at(-2) : last.at(-1);
  return end === 0x0a || end === 0x0d;
}

async function* once<T>(value: T): AsyncGenerator<T, void> {
  yield value;
}

function rowsOf(
  bytes: StoredBytes,
  source: {
    name: string;
    format: Format;
    encoding: Encoding;
    marked: boolean;
    digest: string;
    csv: CsvLayout | undefined;
    sheet: SheetLayout | undefined;
    ignored: IgnoredProperties;
  },
  { signal, spreadsheet: limits = spreadsheetLimits }: SourceOptions,
): ReturnType<Source["rows"]> {
  const { name, format, encoding, marked, csv, sheet, ignored } = source;
  async function* observed(): AsyncGenerator<Uint8Array, void> {
    const digest = digesting();
    for await (const chunk of bytes.chunks()) {
      signal?.throwIfAborted();
      digest.update(chunk);
      yield chunk;
    }
    if (digest.hex() !== source.digest) {
      throw new BulkError(
        "file_changed",
        `${name} changed while it was being read`,
        "run the command again when no program is writing to the file",
      );
    }
  }
  if (sheet !== undefined) return readSpreadsheet(observed(), name, limits, sheet, signal);
  const text = decodeText(observed(), encoding);
  if (csv !== undefined) return readCsv(text, name, { marked, ...csv });
  if (format === "vcard") return readVcards(text, name, ignored);
  return format === "json" ? readJsonArray(text, name) : readJsonl(text, name);
}
