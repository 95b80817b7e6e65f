import { formatCount } from "../../../base/text.js";
import type { Source, Unseen } from "../../../bulk/sources/types.js";
import { refusedError } from "../../errors/errors.js";
import type { Session } from "../../session/session.js";

/** Ranges and names that a warning shows at most. */
const mostShown = 5;

/**
 * Warns of content that the user doesn't see in the spreadsheet.
 * @param readFurther instruction for reading another sheet
 */
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
      `not read: ${formatCount(sheets.length, "further sheet")} with such columns, ${formatList(sheets)}; to read one, ${readFurther}`,
    );
  }
  if (hiddenRows.count > 0) {
    const { count, first } = hiddenRows;
    const rows = `${first.join(", ")}${count > first.length ? " …" : ""}`;
    texts.push(
      `${formatCount(count, "hidden row")} (${rows}) ${count === 1 ? "is" : "are"} read as the others are; to leave ${count === 1 ? "it" : "them"} out, copy the visible rows into a new sheet`,
    );
  }
  if (hiddenColumns.length > 0)
    texts.push(
      `${formatCount(hiddenColumns.length, "hidden column")} (${formatList(hiddenColumns.map((column) => `"${column}"`))}) ${hiddenColumns.length === 1 ? "is" : "are"} read as the others are`,
    );
  if (filled.length > 0)
    texts.push(`merged cells ${formatList(filled)}: each of their rows gets their content`);
  if (unfilled.length > 0)
    texts.push(`merged cells ${formatList(unfilled)}: only the first row has their content`);
  return texts;
}

function formatList(texts: readonly string[]): string {
  return `${texts.slice(0, mostShown).join(", ")}${texts.length > mostShown ? ` and ${texts.length - mostShown} more` : ""}`;
}

/**
 * Rejects a file with several visible sheets: contacts of the other sheets would be deleted.
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
    `${name} has several sheets with such columns: ${names}; nothing was sent`,
    "name the sheet that the group must match: --sheet NAME",
  );
}
