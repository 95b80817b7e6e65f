import { BulkError } from "../../../write/errors.js";
import type { Source } from "./types.js";

const rowsLookedAt = 20;

/** Returns an error with the probable header if a table has a title or other lines above its header. */
export async function headerBelow(
  source: Source,
  isHeader: (cells: readonly string[]) => boolean,
): Promise<BulkError | undefined> {
  const unit = source.format === "xlsx" ? "row" : "line";
  let looked = 0;
  for await (const { names, values, line } of source.rows()) {
    looked += 1;
    if (looked > rowsLookedAt) return undefined;
    const cells = values.map((cell) => String(cell ?? "").trim());
    if (!isHeader(cells)) continue;
    const title = names.filter((name) => name !== "").join(", ");
    const columns = cells.filter((cell) => cell !== "").join(", ");
    const above = line - 1 === 1 ? `the ${unit} above it` : `the ${line - 1} ${unit}s above it`;
    return new BulkError(
      "header_not_first",
      `${source.name}: the first ${unit} must contain the column names, but contains "${title}"; ${unit} ${line} looks like the header: ${columns}`,
      `delete ${above} and import the file again`,
    );
  }
  return undefined;
}

/** Returns whether a source has one header for all rows. */
export function isTable({ format }: Source): boolean {
  return format === "csv" || format === "xlsx";
}

/** Returns a table's column names, or the fields of the first JSON object that has any. */
export async function firstNames(source: Source): Promise<readonly string[]> {
  const rows = source.rows();
  try {
    for (;;) {
      const next = await rows.next();
      if (next.done) return next.value;
      if (next.value.names.length > 0) return next.value.names;
    }
  } finally {
    await rows.return([]);
  }
}

const columnsNamed = 20;
const nameCharacters = 40;

/**
 * Formats the first column names for a message, because a file that is not a table may seem to have thousands
 * of columns.
 */
export function columnList(names: readonly string[]): string {
  const shown = names
    .slice(0, columnsNamed)
    .map((name) => (name.length > nameCharacters ? `"${name.slice(0, nameCharacters - 1)}…"` : `"${name}"`));
  return names.length > columnsNamed ? `${shown.join(", ")} …` : shown.join(", ");
}
