import { BulkError } from "../../../write/errors.js";
import { unmarkedUtf16 } from "./encoding.js";
import { isSingleObject } from "./envelope.js";
import type { Format } from "./types.js";

/** @throws BulkError `unsupported_file` if the first bytes show that the file is binary */
export function refuseBinary(head: Uint8Array, name: string): void {
  const starts = (...bytes: number[]) => bytes.every((byte, index) => head[index] === byte);
  const refuse = (what: string, hint: string, hintFlag?: string) => {
    throw new BulkError("unsupported_file", `${name} is ${what}`, hint, { hintFlag });
  };
  const saveAs =
    'in the spreadsheet program, save the table as "CSV UTF-8 (Comma delimited)", and import that file';
  if (starts(0x50, 0x4b, 0x03, 0x04) || starts(0x50, 0x4b, 0x05, 0x06)) {
    if (/\.ods$/i.test(name)) refuse("an OpenDocument spreadsheet, which is not supported", saveAs);
    if (/\.zip$/i.test(name)) refuse("a ZIP archive", "unpack it and import the file inside");
    refuse("a ZIP archive, not a spreadsheet: spreadsheet names must end in .xlsx", saveAs);
  }
  if (starts(0xd0, 0xcf, 0x11, 0xe0)) refuse("an old spreadsheet (.xls), not a CSV file", saveAs);
  if (starts(0x1f, 0x8b))
    refuse("compressed (gzip)", `decompress the file: \`gunzip -c ${name} | voxctl … -\``);
  if (starts(0x28, 0xb5, 0x2f, 0xfd))
    refuse("compressed (zstd)", `decompress the file: \`zstd -dc ${name} | voxctl … -\``);
  if (starts(0x42, 0x5a, 0x68))
    refuse("compressed (bzip2)", `decompress the file: \`bzcat ${name} | voxctl … -\``);
  if (starts(0xfd, 0x37, 0x7a, 0x58, 0x5a))
    refuse("compressed (xz)", `decompress the file: \`xzcat ${name} | voxctl … -\``);
  if (starts(0x25, 0x50, 0x44, 0x46))
    refuse("a PDF document", "export the contacts as CSV, XLSX, JSON or vCard");
  const utf16 = starts(0xff, 0xfe) || starts(0xfe, 0xff) || unmarkedUtf16(head) !== undefined;
  if (!utf16 && head.includes(0)) {
    refuse(
      "not a text file (it contains NUL bytes)",
      "if the file is UTF-16 without a byte order mark, save the file as UTF-8 or use --encoding utf-16le",
      "--encoding",
    );
  }
}

const exportHint = "export the list as CSV, XLSX, JSON or JSONL, and import that file";
/** Unsupported formats: name, start of the text, and optionally a better hint than `exportHint`. */
const unsupportedTexts: readonly (readonly [what: string, start: RegExp, hint?: string])[] = [
  [
    "a FRITZ!Box phone book (XML)",
    /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?<phonebooks?\b/i,
    "open the file in a spreadsheet program and save it as CSV, or export the contacts from the address book that the FRITZ!Box syncs with",
  ],
  ["an LDIF file", /^(?:#.*\n+)*(?:version:\s*\d+\s*\n+)?(?:#.*\n+)*dn::?\s/i],
  ["an HTML page", /^(?:<!--[\s\S]*?-->\s*)?<(?:!doctype\s+html|html|head|body|table)\b/i],
  ["an XML file", /^(?:<\?xml\s|<!doctype\s|<[a-z_][\w:.-]*(?:\s[^<>]*)?>\s*(?:<|\n|$))/i],
];

/**
 * Rejects text formats that contain neither a table nor a list.
 * @throws BulkError
 */
export function assertSupportedText(start: string, name: string): void {
  const text = start.trimStart();
  const [what, , hint = exportHint] = unsupportedTexts.find(([, begins]) => begins.test(text)) ?? [];
  if (what !== undefined)
    throw new BulkError("unsupported_file", `${name} is ${what}, which is not supported`, hint);
}

const vcardStart = /^\ufeff?\s*BEGIN\s*:\s*VCARD\s*$/im;

/**
 * Detects a file's format from its first line (vCard), its extension or its first character, in this order.
 */
export function detectFormat(name: string, start: string): Format {
  const first = start.trimStart()[0];
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (vcardStart.test(start.trimStart().split("\n", 1)[0] ?? "")) return "vcard";
  if (extension === "csv" || extension === "tsv" || extension === "tab") return "csv";
  if (extension === "jsonl" || extension === "ndjson") return "jsonl";
  if (first === "[" || (first === "{" && isSingleObject(start))) return "json";
  return first === "{" || extension === "json" ? "jsonl" : "csv";
}
