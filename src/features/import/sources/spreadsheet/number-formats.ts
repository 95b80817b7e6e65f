import type { Archive } from "./archive.js";
import { damaged } from "./limits.js";
import { readPart } from "./workbook.js";
import { attributesOf } from "./xml.js";

/**
 * IDs of built-in date and time formats, including those for East Asia and Thailand. A file can define a
 * different format for any ID.
 */
const knownRanges = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
] as const;
/** Limits of spreadsheet programs: number of styles or formats, and number of characters in a format. */
const mostStyles = 65_536;
const longestPattern = 255;

export interface NumberStyles {
  isDate(style: number): boolean;
  /**
   * Formats a number with a style such as `"+"0`, which adds a plus or digits. Returns undefined for other
   * styles.
   */
  showDialled(style: number, digits: string): string | undefined;
}

/** @param name part with the styles; undefined if the workbook has none */
export async function readNumberStyles(archive: Archive, name: string | undefined): Promise<NumberStyles> {
  const own = new Map<number, string>();
  const formats: number[] = [];
  // Elements with the same names in other sections don't apply to cells.
  let section: string | undefined;
  if (name !== undefined)
    await readPart(archive, name, {
      open(element, written) {
        if (element === "cellXfs" || element === "numFmts") section = element;
        else if (element === "numFmt" && section === "numFmts") {
          const attributes = attributesOf(written);
          own.set(Number(attributes.get("numFmtId")), attributes.get("formatCode") ?? "");
        } else if (element === "xf" && section === "cellXfs") {
          formats.push(Number(attributesOf(written).get("numFmtId") ?? 0));
        }
        if (own.size > mostStyles || formats.length > mostStyles)
          throw damaged("the file has too many styles");
      },
      close(element) {
        if (element === section) section = undefined;
      },
    });
  const dates = new Set<number>();
  const dialled = new Map<number, DialledFormat>();
  for (const [style, format] of formats.entries()) {
    if (isDateFormat(format, own.get(format))) dates.add(style);
    else {
      const shown = dialledFormat(own.get(format) ?? "");
      if (shown !== undefined) dialled.set(style, shown);
    }
  }
  return {
    isDate: (style) => dates.has(style),
    showDialled(style, digits) {
      const format = dialled.get(style);
      return format && `${format.prefix}${digits.padStart(format.zeros, "0")}`;
    },
  };
}

interface DialledFormat {
  /** A plus, a calling code or a zero, with punctuation. */
  prefix: string;
  /** Minimum number of digits. A shorter number gets leading zeros. */
  zeros: number;
}

/** Matches formats with text before the digits, either plain or quoted: `"+49 "0`, `\+#`. */
const dialledPattern = /^((?:[+\-() ]|\\[+\d\-() ]|"[+\d\-() ]*")*)([0#](?:[0#]|[ \-()/]|\\[ \-()/])*)$/;

function dialledFormat(pattern: string): DialledFormat | undefined {
  if (pattern.length > longestPattern) return undefined;
  const positive = pattern.split(";")[0]?.replace(/\[[^\]]*\]/g, "") ?? "";
  const [, before = "", digits = ""] = dialledPattern.exec(positive) ?? [];
  const prefix = before.replace(/[\\"]/g, "");
  const zeros = digits.replace(/[^0]/g, "").length;
  return /[+\d]/.test(prefix) ? { prefix, zeros } : undefined;
}

function isDateFormat(number: number, pattern: string | undefined): boolean {
  if (pattern === undefined) return knownRanges.some(([first, last]) => number >= first && number <= last);
  return pattern.length <= longestPattern && showsDate(pattern);
}

/**
 * Returns whether a format displays a date, such as `dd/mm/yyyy` or `[$-407]d. mmmm yyyy;@`, but not `0.00
 * "days"` or `General`.
 */
function showsDate(pattern: string): boolean {
  // Remove literal text, and the character that sets the width of a space (`_`) or fills the cell (`*`).
  const bare = pattern
    .toLowerCase()
    .replace(/"[^"]*"|[\\_*]./g, " ")
    .replace(/;@$/, "");
  return bare.split(";").some((part) => {
    const letters = part
      .replace(/(\[?[smhd]{1,2}\]?)[.,]00?0?/g, "$1")
      .replace(/\[([smhd]{1,2})\]/g, "$1")
      .replace(/\[[^\]]*\]/g, "")
      .split(/[^a-z0#?%]+/)
      .filter((token) => token !== "");
    return letters.length > 0 && letters.every((token) => dateToken.test(token));
  });
}

/** Matches `mm`, `yyyymmdd`, the era in `ggge` and the weekday in `aaaa`. */
const dateToken = /^(?:am|pm|[ap]|a{3,5}|[bdeghmsy]+)$/;
