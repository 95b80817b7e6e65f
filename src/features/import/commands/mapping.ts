import { formatThousands } from "../../../base/text.js";
import { formatUnreadRemarks } from "../../../cli/bulk/import.js";
import { formatSilentRemarks } from "../../../cli/bulk/import-items.js";
import type { ContactInput } from "../contacts/input.js";

interface MappingOptions {
  isShown: boolean;
  /** Columns whose empty cells clear a field; undefined unless the import replaces contacts. */
  clearEmpty: readonly string[] | undefined;
  keyColumn?: string | undefined;
}

export async function formatMappingRemarks(
  input: ContactInput,
  { isShown, clearEmpty, keyColumn }: MappingOptions,
): Promise<string[]> {
  const { columnPositions, mappingOf, silentColumns } = await import("../index.js");
  const remarks: string[] = [];
  const isVcard = input.source.format === "vcard";
  const columns = mappingOf(input.columns, input.names).filter(({ fields }) => !isVcard || fields.length > 0);
  if (
    !hasAddresses(columns) &&
    columns.some(({ column, fields }) => fields.length === 0 && column !== keyColumn)
  )
    remarks.push("no phone or email column found; to select one, use --map phone_numbers=COLUMN");
  const { wholeName, unread } = input.columns;
  if (wholeName !== undefined && !isVcard)
    remarks.push(
      `using column "${wholeName}" as first_name; to choose another column, use --map first_name=COLUMN`,
    );
  const keys = new Set(
    (keyColumn === undefined ? [] : columnPositions(input.names, keyColumn)).map((at) => input.names[at]),
  );
  if (isShown) {
    const mapping = columns.flatMap(({ column, fields }) => {
      const uses = [...(keys.has(column) ? ["key"] : []), ...fields];
      return uses.length === 0 ? [] : [`${column} → ${uses.join(" + ")}`];
    });
    if (mapping.length > 0) remarks.push(`Columns: ${mapping.join(", ")}`);
  }
  if (!isVcard) remarks.push(...formatUnreadRemarks(unread.filter((name) => !keys.has(name))));
  if (isShown) {
    const { formatProblem } = await import("../../../write/index.js");
    for (const row of input.survey.first) {
      const read = input.read(row);
      const text = "contact" in read ? formatContact(read.contact) : formatProblem(read.problems[0]);
      remarks.push(`Row ${row.number}: ${text}`);
    }
  }
  for (const { column, value } of input.ignoredCountries())
    remarks.push(
      `ignoring the column "${column}" when reading phone numbers: "${value}" is not a known country`,
    );
  const ignored = formatIgnoredProperties(input.source.ignoredProperties?.() ?? new Map());
  if (ignored !== undefined) remarks.push(ignored);
  const { below } = input.survey;
  if (below !== undefined) remarks.push(formatBelow(below));
  if (clearEmpty !== undefined) {
    const silent = silentColumns(input, clearEmpty);
    remarks.push(...formatSilentRemarks(silent));
  }
  return remarks;
}

function hasAddresses(mapping: readonly { fields: readonly string[] }[]): boolean {
  return mapping.some(({ fields }) => fields.includes("phone_numbers") || fields.includes("emails"));
}

function formatBelow({ count, line }: { count: number; line: number }): string {
  return count === 1
    ? `skipped line ${line} below the list: all its mapped columns are empty, so it is probably a total or a note`
    : `skipped the last ${count} lines, starting with line ${line}: all their mapped columns are empty, so they are probably totals or notes`;
}

function formatContact(contact: {
  first_name: string;
  last_name: string;
  phone_numbers: readonly string[];
  emails: readonly string[];
}): string {
  const { phone_numbers: numbers, emails } = contact;
  return [
    `first_name "${contact.first_name}", last_name "${contact.last_name}"`,
    ...(numbers.length === 0 ? [] : [`phone_numbers ${numbers.join(" ")}`]),
    ...(emails.length === 0 ? [] : [`emails ${emails.join(" ")}`]),
  ].join(", ");
}

const propertiesNamed = 12;

function formatIgnoredProperties(ignored: ReadonlyMap<string, number>): string | undefined {
  if (ignored.size === 0) return undefined;
  const sorted = [...ignored].toSorted(([, left], [, right]) => right - left);
  const list = sorted.slice(0, propertiesNamed).map(([name, count]) => `${name} (${formatThousands(count)})`);
  const more = sorted.length > propertiesNamed ? " …" : "";
  return `Ignored in the vCards: ${list.join(", ")}${more}`;
}
