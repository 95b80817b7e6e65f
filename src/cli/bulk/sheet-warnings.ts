import { formatCount } from "../../base/text.js";
import type { Source, Unseen } from "../../features/import/sources/types.js";
import { refusedError } from "../errors/errors.js";
import type { Session } from "../session/session.js";

const mostShown = 5;

export function warnOfHiddenContent(
  { notes }: Pick<Session, "notes">,
  { name, unseen }: Source,
  readFurther = "save it as a separate file",
): void {
  if (unseen === undefined) return;
  for (const text of formatHiddenContent(unseen, readFurther)) notes.warn(`${name}: ${text}`);
}

function formatHiddenContent(
  { furtherSheets, hiddenRows, hiddenColumns, filled, unfilled }: Unseen,
  readFurther: string,
): string[] {
  const texts: string[] = [];
  if (furtherSheets.length > 0) {
    const sheets = furtherSheets.map((sheet) => `"${sheet.name}"${sheet.isHidden ? " (hidden)" : ""}`);
    texts.push(
      `ignoring ${formatCount(sheets.length, "other sheet")} with similar columns: ${formatList(sheets)}; to read ${sheets.length === 1 ? "it" : "one of them"}, ${readFurther}`,
    );
  }
  if (hiddenRows.count > 0) {
    const { count, first } = hiddenRows;
    const rows = `${first.join(", ")}${count > first.length ? " …" : ""}`;
    texts.push(
      `reading ${formatCount(count, "hidden row")} (${rows}); to skip ${count === 1 ? "it" : "them"}, copy the visible rows to a new sheet`,
    );
  }
  if (hiddenColumns.length > 0)
    texts.push(
      `reading ${formatCount(hiddenColumns.length, "hidden column")} (${formatList(hiddenColumns.map((column) => `"${column}"`))})`,
    );
  if (filled.length > 0) texts.push(`merged cells ${formatList(filled)}: using their value for each row`);
  if (unfilled.length > 0)
    texts.push(`merged cells ${formatList(unfilled)}: using their value only for the first row`);
  return texts;
}

function formatList(texts: readonly string[]): string {
  return `${texts.slice(0, mostShown).join(", ")}${texts.length > mostShown ? ` and ${texts.length - mostShown} more` : ""}`;
}

/**
 * Refuses a workbook with several visible sheets: voxctl reads only one of them, and `--delete` would delete
 * the contacts that are only on the other sheets.
 * @throws refused error (12)
 */
export function assertSingleSheet({ name, sheet, unseen }: Source): void {
  const visibleSheets = (unseen?.furtherSheets ?? []).filter(({ isHidden }) => !isHidden);
  if (visibleSheets.length === 0) return;
  const names = formatList(
    [sheet ?? "", ...visibleSheets.map((entry) => entry.name)].map((entry) => `"${entry}"`),
  );
  throw refusedError(
    "suspicious_input",
    `${name} has several sheets with similar columns: ${names}`,
    "select the sheet with --sheet NAME",
  );
}
