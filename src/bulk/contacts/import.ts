import type { RunContext } from "../engine/context.js";
import type { ImportSummary } from "../engine/summary.js";
import { type ImportTask, runImport } from "../imports/import.js";
import type { InputRow, OnMatch } from "../input-row.js";
import { usableRows } from "../planning/plan.js";
import { contactAdapter } from "./adapter.js";
import type { MatchKey } from "./identity.js";
import type { ContactInput } from "./input.js";
import type { ImportContact } from "./rows.js";

export interface ImportOptions extends Omit<ImportTask, "adapter" | "file" | "digest" | "options" | "rows"> {
  input: ContactInput;
  country: string | undefined;
  map: string | undefined;
  match: readonly MatchKey[];
  onMatch: OnMatch;
}

/** Imports contacts into a group, as `runImport` says. */
export function importContacts(context: RunContext, options: ImportOptions): Promise<ImportSummary> {
  const { input, match, country, map, ...task } = options;
  const compares = options.onMatch !== "create";
  return runImport(context, {
    ...task,
    adapter: contactAdapter(match),
    file: input.source.name,
    digest: input.source.digest,
    options: {
      country: country?.toUpperCase() ?? null,
      map: map ?? null,
      match: compares ? [...match].sort() : null,
      on_match: options.onMatch,
    },
    rows: () => rowsOf(input),
  });
}

/** Which rows can be imported, as far as one can know before. */
export function usableContacts(input: ContactInput, world: string | null): AsyncGenerator<boolean, void> {
  return usableRows(rowsOf(input), contactAdapter([]), world);
}

async function* rowsOf(input: ContactInput): AsyncGenerator<InputRow, void> {
  for await (const { row, read } of input.rows()) {
    yield {
      number: row.number,
      line: row.line,
      read: "contact" in read ? { fields: fieldsOf(read.contact) } : read,
      // Everything there was: a broken record's cells need not fit the header.
      record: () =>
        row.problem === undefined
          ? { record: Object.fromEntries(row.names.map((name, index) => [name, row.values[index] ?? ""])) }
          : { cells: row.values },
    };
  }
}

/** Empty fields are left to the service. */
function fieldsOf(contact: ImportContact): Partial<ImportContact> {
  return {
    first_name: contact.first_name,
    ...(contact.last_name === "" ? {} : { last_name: contact.last_name }),
    ...(contact.phone_numbers.length === 0 ? {} : { phone_numbers: contact.phone_numbers }),
    ...(contact.emails.length === 0 ? {} : { emails: contact.emails }),
  };
}
