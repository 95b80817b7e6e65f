import { formatCell, isScalar } from "../../base/fields.js";
import { isFormula, neutralizeCell } from "../../base/formulas.js";
import type { Io } from "../../base/io.js";
import { formatCount } from "../../base/text.js";
import type { Notes } from "../terminal/notes.js";

const colonFirst = /^[\s\p{Cf}]*:/u;

export interface CsvLines {
  header(names: readonly string[]): string;
  rows(cells: readonly (readonly string[])[]): string;
  /** Warns about cells that a spreadsheet would run as formulas. */
  end(): void;
}

/**
 * Creates a CSV writer. For programs, it writes values unchanged. For spreadsheets (`excel`), it adds a byte
 * order mark, the locale's delimiter, and an apostrophe before formulas.
 */
export async function createCsv(
  { excel, io }: { excel: boolean; io: Pick<Io, "env" | "systemLocale"> },
  notes: Pick<Notes, "warn">,
): Promise<CsvLines> {
  const { default: papaparse } = await import("papaparse");
  const delimiter = excel ? localeDelimiter(io) : ",";
  const line = (row: readonly string[]) => {
    // Quote every cell of a row with line breaks, so that its lines can't be mistaken for rows.
    const hasLineBreak = row.some((cell) => /[\r\n]/.test(cell));
    // Quote cells that start with a colon, so that a CI runner doesn't execute them as workflow commands.
    // Quote the empty cell of a single column, because readers skip empty lines.
    const quotes = row.map(
      (cell) => hasLineBreak || colonFirst.test(cell) || (cell === "" && row.length === 1),
    );
    return `${papaparse.unparse([[...row]], { newline: "\n", delimiter, quotes })}\n`;
  };
  let formulas = 0;
  const checked = (row: readonly string[]): readonly string[] => {
    if (excel) return row.map(neutralizeCell);
    for (const cell of row) if (isFormula(cell)) formulas += 1;
    return row;
  };
  return {
    header: (names) => `${excel ? "\ufeff" : ""}${line(checked(names))}`,
    rows: (cells) => cells.map((row) => line(checked(row))).join(""),
    end() {
      if (formulas > 0)
        notes.warn(
          `a spreadsheet would run ${formatCount(formulas, "cell")} as formulas; to prevent this, use --excel`,
        );
    },
  };
}

/** Joins list entries with semicolons, which import commands can split again. */
export function csvCell(value: unknown): string {
  return Array.isArray(value) && value.every((entry) => entry !== null && isScalar(entry))
    ? value.map(formatCell).join("; ")
    : formatCell(value);
}

/** Spreadsheets expect a semicolon in locales with a decimal comma. */
function localeDelimiter({ env, systemLocale }: Pick<Io, "env" | "systemLocale">): string {
  const named = (env["LC_ALL"] || env["LC_NUMERIC"] || env["LANG"] || "").replace(/[.@].*$/, "");
  const tag = named === "" ? (systemLocale?.() ?? "C") : named.replaceAll("_", "-");
  return isLocale(tag) && new Intl.NumberFormat(tag).format(1.5).includes(",") ? ";" : ",";
}

/** For unknown locales, `Intl` would use this process's locale. */
function isLocale(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
