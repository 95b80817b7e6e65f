// Reads files that `contacts export` wrote. In such a file, even unusual values are data: the name `#N/A`, a
// first name of dashes, a row with a single name.
import { isE164, isEmail } from "../../../contract/primitives.js";
import { formulaError } from "../sources/formula-errors.js";
import type { Format, SourceRow } from "../sources/types.js";
import { asText } from "./cells.js";
import { contactFields } from "./headers.js";
import type { ImportContact } from "./import-contact.js";
import { cleanName } from "./names.js";

const listSeparator = "; ";

export interface OwnExportWatch {
  see(row: SourceRow): void;
  isOwnExport(): boolean;
}

export function watchOwnExport(format: Format): OwnExportWatch {
  let rows = 0;
  let isConforming = true;
  return {
    see(row) {
      rows += 1;
      isConforming &&= hasExportedFields(row, format) && hasExportedValues(row, format);
    },
    isOwnExport: () => rows > 0 && isConforming,
  };
}

function hasExportedFields({ names, values }: SourceRow, format: Format): boolean {
  if (format === "csv" || format === "xlsx")
    return (
      names.length === contactFields.length && contactFields.every((field, index) => names[index] === field)
    );
  if (format === "vcard") return asText(values[names.indexOf("PRODID")]).startsWith("-//voxctl//");
  return ["id", "group_id", "first_name", "phone_numbers", "emails"].every((field) => names.includes(field));
}

function hasExportedValues(row: SourceRow, format: Format): boolean {
  const { problem, unreadable } = row;
  // A name can be the text `#N/A`, but not the error value of a formula. CSV files contain only text.
  const isKept = (index: number, reason: string) =>
    index < 2 && (format === "csv" || reason !== formulaError);
  if (problem !== undefined || [...(unreadable ?? [])].some(([index, reason]) => !isKept(index, reason)))
    return false;
  const { first_name, phone_numbers, emails } = readExported(row);
  return first_name.trim() !== "" && phone_numbers.every(isE164) && emails.every(isEmail);
}

/** Keeps a first name verbatim if cleaning would leave it empty. */
export function readExported({ names, values }: SourceRow): ImportContact {
  const valueAt = (field: string) => values[names.indexOf(field)];
  const listOf = (field: string) => {
    const value = valueAt(field);
    if (Array.isArray(value)) return value.map(asText);
    const text = asText(value);
    return text === "" ? [] : text.split(listSeparator);
  };
  const [first_name, last_name] = [asText(valueAt("first_name")), asText(valueAt("last_name"))];
  return {
    first_name: cleanName(first_name) || first_name,
    last_name: cleanName(last_name) ?? last_name,
    phone_numbers: listOf("phone_numbers"),
    emails: listOf("emails"),
  };
}
