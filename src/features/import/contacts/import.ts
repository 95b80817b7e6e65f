import type { RunContext } from "../../../write/engine/context.js";
import type { WriteSummary } from "../../../write/engine/summary.js";
import type { Fields } from "../../../write/fields.js";
import type { InputRow, OnMatch } from "../../../write/input-row.js";
import { type ImportTask, importRows } from "../imports/import.js";
import { usableRows } from "../planning/plan.js";
import type { SourceRow } from "../sources/types.js";
import { contactAdapter } from "./adapter.js";
import type { MatchKey } from "./identity.js";
import type { ImportContact } from "./import-contact.js";
import type { ContactInput } from "./input.js";
import { replacingFields } from "./replacing.js";
import type { ReadContact } from "./rows.js";

export interface ImportOptions extends Omit<ImportTask, "adapter" | "file" | "digest" | "options" | "rows"> {
  input: ContactInput;
  country: string | undefined;
  map: readonly string[];
  match: readonly MatchKey[];
  onMatch: OnMatch;
  /** Columns whose empty cells clear a field, even if most cells of the column are empty. */
  clearEmpty: readonly string[];
  reading: Readonly<Record<string, unknown>>;
}

export function importContacts(context: RunContext, options: ImportOptions): Promise<WriteSummary> {
  const { input, match, country, map, clearEmpty, reading, ...task } = options;
  return importRows(context, {
    ...task,
    adapter: contactAdapter(match),
    file: input.source.name,
    digest: input.source.digest,
    options: { ...contactOptions(options), ...options.keys?.options },
    rows: () => inputRows(input, options.onMatch === "replace" ? clearEmpty : undefined),
  });
}

function contactOptions({
  country,
  map,
  match,
  onMatch,
  clearEmpty,
  reading,
}: Pick<ImportOptions, "country" | "map" | "match" | "onMatch" | "clearEmpty" | "reading">) {
  return {
    country: country?.toUpperCase() ?? null,
    map: map.length === 0 ? null : map.length === 1 ? map[0] : map,
    match: onMatch === "create" ? null : [...match].sort(),
    on_match: onMatch,
    ...(clearEmpty.length === 0 ? {} : { clear_empty: clearEmpty }),
    ...reading,
  };
}

/** Yields for each row whether it passes the checks that don't need the service. */
export function usableContacts(
  input: ContactInput,
  emulatorId: string | null,
): AsyncGenerator<boolean, void> {
  return usableRows(inputRows(input), contactAdapter([]), emulatorId);
}

function inputRows(input: ContactInput, clearEmpty?: readonly string[]): AsyncGenerator<InputRow, void> {
  return input.rows((row, read) => inputRow(input, row, read, clearEmpty));
}

/**
 * @param clearEmpty columns whose empty cells clear a field; undefined unless the import replaces contacts
 */
export function inputRow(
  input: ContactInput,
  row: SourceRow,
  read: ReadContact,
  clearEmpty: readonly string[] | undefined,
): InputRow {
  const { number, line } = row;
  const record = () =>
    // Show all cells of a malformed row, because the cells might not match the header.
    row.problem === undefined
      ? { record: Object.fromEntries(row.names.map((name, index) => [name, row.values[index] ?? ""])) }
      : { cells: row.values };
  if ("problems" in read) return { number, line, read, record };
  const { contact, dropped } = read;
  if (clearEmpty === undefined) return { number, line, record, dropped, read: { fields: fieldsOf(contact) } };
  const { fields, rules } = replacingFields(input, row, read, clearEmpty);
  return { number, line, record, dropped, read: { fields }, rules };
}

/** Omits empty fields, so that the service applies its defaults. */
function fieldsOf({ first_name, last_name, phone_numbers, emails }: ImportContact): Fields {
  const fields: Record<string, unknown> = { first_name };
  if (last_name !== "") fields["last_name"] = last_name;
  if (phone_numbers.length > 0) fields["phone_numbers"] = phone_numbers;
  if (emails.length > 0) fields["emails"] = emails;
  return fields;
}
