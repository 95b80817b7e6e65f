import { join, resolve } from "node:path";
import { makePrivateFolder } from "../../../base/private-file.js";
import { warnOfHiddenContent } from "../../../cli/bulk/sheet-warnings.js";
import { usageError } from "../../../cli/errors/errors.js";
import { parseCount } from "../../../cli/session/globals.js";
import type { Flag, Input } from "../../../cli/session/input.js";
import type { Session } from "../../../cli/session/session.js";
import type { ContactInput, ContactInputOptions } from "../contacts/input.js";
import type { AcceptedNumbers } from "../contacts/phones.js";
import type { Source } from "../sources/types.js";

export const matchFlag: Flag = {
  name: "match",
  value: "fields",
  description:
    "Fields that identify a contact: phone, email or phone,email; append ,name to also compare names",
  default: "phone",
  group: "Matching",
};

/** These flags override the detected values. */
export const fileFlags: readonly Flag[] = [
  {
    name: "country",
    value: "code",
    description: "Country, such as DE, assumed for numbers without a country code",
    ofProfile: "country",
    group: "Common",
  },
  {
    name: "map",
    value: "field=column,…",
    description:
      "Column of each field: first_name, last_name, phone_numbers or emails; see `voxctl help imports`",
    repeatable: true,
    group: "File format",
  },
  {
    name: "sheet",
    value: "name|number",
    description: "Sheet of the spreadsheet",
    default: "detected",
    group: "File format",
  },
  {
    name: "header-row",
    value: "number",
    description: "Row with the column names",
    default: "detected in the first 20 rows",
    group: "File format",
  },
  {
    name: "skip-rows",
    value: "number",
    description: "Number of rows to skip at the start",
    group: "File format",
  },
  {
    name: "encoding",
    value: "name",
    description: "Text encoding, such as utf-8 or windows-1252",
    default: "detected",
    group: "File format",
  },
  {
    name: "delimiter",
    value: "character",
    description: 'Cell separator: ";", ",", "|" or tab',
    default: "detected",
    group: "File format",
  },
  {
    name: "trust-calling-code",
    description: "Read 49171… as +49171… with --country DE",
    group: "File format",
  },
  {
    name: "accept-numbers",
    value: "valid|possible",
    choices: ["valid", "possible"],
    strict: true,
    description: "Accepted numbers without a country code: only valid ones, or all with a possible length",
    default: "valid",
    group: "File format",
  },
  {
    name: "keep-valid",
    description: "Import rows with invalid cells, without those cells",
    group: "Safety",
  },
  {
    name: "rejects",
    value: "file",
    description:
      "File for rejected rows, with the errors in a voxctl_error column; fix the rows, then import the file. An apostrophe before + or @ is for spreadsheets; the import removes it",
    group: "Safety",
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
  keyColumn: string | undefined;
  /** Path as typed. */
  rejects: string | undefined;
}

/** @throws usage error (exit code 2) that names the flag */
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
    throw usageError(`invalid --delimiter "${text}": expected one character: ; , | or tab`);
  return delimiter;
}

/** These flags are part of the run's identity. */
export function toReadingOptions(flags: FileFlags): Readonly<Record<string, unknown>> {
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

/**
 * Flags that each file format supports. An unsupported flag is an error: if voxctl ignored the flag, it could
 * import the wrong rows.
 */
const flagsOfFormat = {
  csv: ["headerRow", "skipRows", "encoding", "delimiter"],
  xlsx: ["sheet", "headerRow", "skipRows"],
  json: ["encoding"],
  jsonl: ["encoding"],
  vcard: ["encoding"],
} as const;

const flagNames = {
  sheet: "--sheet",
  headerRow: "--header-row",
  skipRows: "--skip-rows",
  encoding: "--encoding",
  delimiter: "--delimiter",
} as const;

/** @throws usage error (exit code 2) with the first flag that the file's format does not support */
function assertFlagsOfFormat(
  file: string,
  { format, encoding }: Pick<Source, "format" | "encoding">,
  flags: FileFlags,
): void {
  const used: readonly string[] = flagsOfFormat[format];
  let name: keyof typeof flagNames;
  for (name in flagNames) {
    if (flags[name] === undefined || used.includes(name)) continue;
    // Spreadsheets are always UTF-8. Allow `--encoding utf-8`, because it confirms names that look garbled.
    if (name === "encoding" && format === "xlsx" && encoding === "utf-8") continue;
    throw usageError(`${flagNames[name]} can't be used with ${file}: it is ${formatTexts[format]}`);
  }
}

const formatTexts = {
  csv: "a CSV file",
  xlsx: "a spreadsheet",
  json: "a JSON file",
  jsonl: "a JSONL file",
  vcard: "a vCard file",
} as const;

/**
 * Opens a file or standard input with contacts, as the flags specify.
 * @param file path as typed; `-` means standard input
 * @throws BulkError
 */
export async function openContacts(
  session: Session,
  file: string,
  flags: FileFlags,
  { isReportOnly = false }: Pick<ContactInputOptions, "isReportOnly"> = {},
): Promise<{ source: Source; contacts: ContactInput; folder: string }> {
  const { openContactInput, identifyingColumns, openSource, parseHeaderMap, knownColumns } = await import(
    "../index.js"
  );
  const map = parseHeaderMap(...flags.maps);
  const folder = join(session.folders.data, "runs");
  await makePrivateFolder(folder);
  const source = await openSource(
    file === "-" ? { stream: session.io.stdin } : { path: resolve(session.io.cwd, file) },
    {
      name: file,
      temporaryFolder: folder,
      signal: session.signal,
      encoding: flags.encoding,
      hasContacts: true,
      layout: {
        sheet: flags.sheet,
        headerRow: flags.headerRow,
        skipRows: flags.skipRows,
        delimiter: flags.delimiter,
        knownColumns: (cells) => knownColumns(cells, map),
        identifyingColumns: (names) => identifyingColumns(names, map, flags.keyColumn),
      },
    },
  );
  try {
    assertFlagsOfFormat(file, source, flags);
    warnOfHiddenContent(session, source, "use --sheet");
    const contacts = await openContactInput(source, {
      country: flags.country,
      map,
      trustsCallingCode: flags.trustsCallingCode,
      accepts: flags.accepts,
      keepsValid: flags.keepsValid,
      keyColumn: flags.keyColumn,
      ...{ isEncodingNamed: flags.encoding !== undefined, isReportOnly },
    });
    return { source, contacts, folder };
  } catch (error) {
    await source.close();
    throw error;
  }
}
