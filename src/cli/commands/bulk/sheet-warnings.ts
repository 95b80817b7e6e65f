import { counted } from "../../../base/text.js";
import type { Source, Unseen } from "../../../bulk/sources/types.js";
import { refusedError } from "../../errors/errors.js";
import type { Session } from "../../session/session.js";

/** Ranges and names that a warning shows at most. */
const mostShown = 5;

/**
 * Warns of what a spreadsheet holds otherwise than a person sees it.
 * @param readFurther how to read another sheet, as an instruction
 */
export function warnOfUnseen(
  { notes }: Pick<Session, "notes">,
  { name, unseen }: Source,
  readFurther = "save it as a separate file",
): void {
  if (unseen === undefined) return;
  for (const text of unseenTexts(unseen, readFurther)) notes.warn(`${name}: ${text}`);
}

function unseenTexts(
  { furtherSheets, hiddenRows, hiddenColumns, filled, unfilled }: Unseen,
  readFurther: string,
): string[] {
  const texts: string[] = [];
  if (furtherSheets.length > 0) {
    const sheets = furtherSheets.map((sheet) => `"${sheet.name}"${sheet.isHidden ? " (hidden)" : ""}`);
    texts.push(
      `not read: ${counted(sheets.length, "further sheet")} with such columns, ${listed(sheets)}; to read one, ${readFurther}`,
    );
  }
  if (hiddenRows.count > 0) {
    const { count, first } = hiddenRows;
    const rows = `${first.join(", ")}${count > first.length ? " …" : ""}`;
    texts.push(
      `${counted(count, "hidden row")} (${rows}) ${count === 1 ? "is" : "are"} read as the others are; to leave ${count === 1 ? "it" : "them"} out, copy the visible rows into a new sheet`,
    );
  }
  if (hiddenColumns.length > 0)
    texts.push(
      `${counted(hiddenColumns.length, "hidden column")} (${listed(hiddenColumns.map((column) => `"${column}"`))}) ${hiddenColumns.length === 1 ? "is" : "are"} read as the others are`,
    );
  if (filled.length > 0) texts.push(`merged cells ${listed(filled)}: each of their rows gets their content`);
  if (unfilled.length > 0)
    texts.push(`merged cells ${listed(unfilled)}: only the first row has their content`);
  return texts;
}

function listed(texts: readonly string[]): string {
  return `${texts.slice(0, mostShown).join(", ")}${texts.length > mostShown ? ` and ${texts.length - mostShown} more` : ""}`;
}

/**
 * Whoever is on another sheet that a person sees would be deleted.
 * @throws refused error (12)
 */
export function assertOnlySheet({ name, sheet, unseen }: Source): void {
  const further = (unseen?.furtherSheets ?? []).filter(({ isHidden }) => !isHidden);
  if (further.length === 0) return;
  const names = listed([sheet ?? "", ...further.map((one) => one.name)].map((one) => `"${one}"`));
  throw refusedError(
    "suspicious_input",
    `${name} has several sheets with such columns: ${names}; nothing was sent`,
    "name the sheet that the group must match: --sheet NAME",
  );
}
