import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { ContactInput } from "../../../bulk/contacts/input.js";
import type { AcceptedNumbers } from "../../../bulk/contacts/phones.js";
import type { Source } from "../../../bulk/sources/types.js";
import { usageError } from "../../errors/errors.js";
import { parseCount } from "../../session/globals.js";
import type { Flag, Input } from "../../session/input.js";
import type { Session } from "../../session/session.js";
import { warnOfUnseen } from "../bulk/sheet-warnings.js";

/** The identity of a row and a contact, or of two contacts. */
export const matchFlag: Flag = {
  name: "match",
  value: "keys",
  description:
    "what makes two of them the same, whatever their names: phone, email or phone,email (one is enough); with ,name the names must agree, too",
  default: "phone",
};

/** Flags of every command that reads a file of contacts: where the guess about the file is wrong. */
export const fileFlags: readonly Flag[] = [
  {
    name: "country",
    value: "code",
    description: "country of numbers without one: DE",
    ofProfile: "country",
  },
  {
    name: "trust-calling-code",
    description: "Read numbers that lost their plus, such as 436641234567, with it where that is valid",
  },
  {
    name: "accept-numbers",
    value: "valid|possible",
    choices: ["valid", "possible"],
    strict: true,
    description:
      "Numbers to import of those without a country code: valid ones, or all with a possible length",
    default: "valid",
  },
  {
    name: "map",
    value: "field=column,…",
    description:
      'columns of the file: first_name=Vorname,phone_numbers=Telefon|Mobil; "first_name=Vorname||Firma" takes the company where there is no first name; one column into several fields: "last_name+first_name=Name, Vorname"',
    repeatable: true,
  },
  {
    name: "sheet",
    value: "name|number",
    description: "the spreadsheet's sheet",
    default: "the visible one with the most known columns",
    group: "File format",
  },
  {
    name: "header-row",
    value: "number",
    description: "the line that names the columns",
    default: "of the first 20 the one with the most known columns",
  },
  { name: "skip-rows", value: "number", description: "so many lines from the first are not read" },
  {
    name: "encoding",
    value: "name",
    description: "utf-8, utf-16le, windows-1252, windows-1250, iso-8859-15, macintosh, ibm850 …",
    default: "found out",
  },
  { name: "delimiter", value: "character", description: "between cells: ; , | or tab", default: "found out" },
  {
    name: "keep-valid",
    description:
      "take a row with a bad cell without that cell, and list it as partly: it is imported, so --rejects has it not",
  },
  {
    name: "rejects",
    value: "file",
    description:
      "where to write the rows that were not imported, as the file has them, with a column voxctl_error; mended, it can be imported",
  },
];

export interface FileFlags {
  country: string | undefined;
  trustsCallingCode: boolean;
  accepts: AcceptedNumbers;
  maps: readonly string[];
  sheet: string | undefined;
  headerRow: number | undefined;
  skipRows: number | undefined;
  encoding: string | undefined;
  delimiter: string | undefined;
  keepsValid: boolean;
  /** The column of the caller's own keys. */
  keyColumn: string | undefined;
  /** As it was given. */
  rejects: string | undefined;
}

/** @throws usage error (2) that names the flag */
export function readFileFlags(input: Input): FileFlags {
  const count = (name: string) => {
    const text = input.text(name);
    return text === undefined ? undefined : parseCount(text, `--${name}`);
  };
  return {
    country: input.text("country"),
    trustsCallingCode: input.on("trust-calling-code") === true,
    accepts: input.text("accept-numbers") === "possible" ? "possible" : "valid",
    maps: input.texts("map"),
    sheet: input.text("sheet"),
    headerRow: count("header-row"),
    skipRows: count("skip-rows"),
    encoding: input.text("encoding"),
    delimiter: readDelimiter(input.text("delimiter")),
    keepsValid: input.on("keep-valid") === true,
    keyColumn: input.text("key"),
    rejects: input.text("rejects"),
  };
}

const delimiterNames: Readonly<Record<string, string>> = {
  tab: "\t",
  "\\t": "\t",
  comma: ",",
  semicolon: ";",
  pipe: "|",
};

function readDelimiter(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const delimiter = delimiterNames[text.toLowerCase()] ?? text;
  if ([...delimiter].length !== 1 || delimiter === '"' || delimiter === "\n")
    throw usageError(`--delimiter: "${text}" is not one character; write ; , | or tab`);
  return delimiter;
}

/** Those of the flags that change what is read, as a run's identity has them: only what was given. */
export function readingOf(flags: FileFlags): Readonly<Record<string, unknown>> {
  const given = {
    sheet: flags.sheet,
    header_row: flags.headerRow,
    skip_rows: flags.skipRows,
    encoding: flags.encoding,
    delimiter: flags.delimiter,
    keep_valid: flags.keepsValid || undefined,
    trust_calling_code: flags.trustsCallingCode || undefined,
    accept_numbers: flags.accepts === "valid" ? undefined : flags.accepts,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** Which flags mean something for which format: one that does not would be ignored, and the wrong rows imported. */
const flagsOfFormat = {
  csv: ["headerRow", "skipRows", "encoding", "delimiter"],
  xlsx: ["sheet", "headerRow", "skipRows"],
  json: ["encoding"],
  jsonl: ["encoding"],
} as const;

const flagNames = {
  sheet: "--sheet",
  headerRow: "--header-row",
  skipRows: "--skip-rows",
  encoding: "--encoding",
  delimiter: "--delimiter",
} as const;

/** @throws usage error (2) that names a flag which the file's format has no use for */
function refuseIdleFlags(
  file: string,
  { format, encoding }: Pick<Source, "format" | "encoding">,
  flags: FileFlags,
): void {
  const used: readonly string[] = flagsOfFormat[format];
  let name: keyof typeof flagNames;
  for (name in flagNames) {
    if (flags[name] === undefined || used.includes(name)) continue;
    // A spreadsheet's own: it says that names which look garbled are right.
    if (name === "encoding" && format === "xlsx" && encoding === "utf-8") continue;
    throw usageError(
      `${flagNames[name]}: ${file} is ${formatTexts[format]}, which has none; nothing was sent`,
    );
  }
}

const formatTexts = { csv: "CSV", xlsx: "a spreadsheet", json: "JSON", jsonl: "JSONL" } as const;

interface OpenOptions {
  /** Read in place of standard input. */
  stream?: AsyncIterable<Uint8Array | string> | undefined;
  /** See `ContactInputOptions`. */
  tellsOnly?: boolean;
}

/**
 * Opens a file of contacts, or a stream of one, as the flags say.
 * @param file as it was given; `-` for standard input
 * @throws BulkError
 */
export async function openContacts(
  session: Session,
  file: string,
  flags: FileFlags,
  { stream = session.io.stdin, tellsOnly = false }: OpenOptions = {},
): Promise<{ source: Source; contacts: ContactInput; folder: string }> {
  const { openContactInput, identifyingColumns, openSource, parseHeaderMap, knownColumns } = await import(
    "../../../bulk/index.js"
  );
  const map = parseHeaderMap(...flags.maps);
  const folder = join(session.folders.data, "runs");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const source = await openSource(file === "-" ? { stream } : { path: resolve(session.io.cwd, file) }, {
    name: file,
    temporaryFolder: folder,
    signal: session.signal,
    encoding: flags.encoding,
    layout: {
      sheet: flags.sheet,
      headerRow: flags.headerRow,
      skipRows: flags.skipRows,
      delimiter: flags.delimiter,
      knownColumns: (cells) => knownColumns(cells, map),
      identifyingColumns: (names) => identifyingColumns(names, map, flags.keyColumn),
    },
  });
  try {
    refuseIdleFlags(file, source, flags);
    warnOfUnseen(session, source);
    const contacts = await openContactInput(source, {
      country: flags.country,
      map,
      trustsCallingCode: flags.trustsCallingCode,
      accepts: flags.accepts,
      keepsValid: flags.keepsValid,
      keyColumn: flags.keyColumn,
      ...{ encodingTold: flags.encoding !== undefined, tellsOnly },
    });
    return { source, contacts, folder };
  } catch (error) {
    await source.close();
    throw error;
  }
}
