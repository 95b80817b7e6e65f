import type { Archive } from "./archive.js";
import { damaged } from "./limits.js";
import { readPart } from "./workbook.js";
import { attributesOf } from "./xml.js";

/** IDs of built-in date and time formats, including those for East Asia and Thailand. */
const knownRanges = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
] as const;
/** Smallest ID of a custom format. */
const firstOwnFormat = 100;
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
  let inCellStyles = false;
  if (name !== undefined)
    await readPart(archive, name, {
      open(element, written) {
        if (element === "cellXfs") inCellStyles = true;
        else if (element === "numFmt") {
          const attributes = attributesOf(written);
          own.set(Number(attributes.get("numFmtId")), attributes.get("formatCode") ?? "");
        } else if (element === "xf" && inCellStyles) {
          formats.push(Number(attributesOf(written).get("numFmtId") ?? 0));
        }
        if (own.size > mostStyles || formats.length > mostStyles)
          throw damaged("the file has too many styles");
      },
      close(element) {
        if (element === "cellXfs") inCellStyles = false;
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

function isDateFormat(number: number, pattern = ""): boolean {
  if (knownRanges.some(([first, last]) => number >= first && number <= last)) return true;
  return number >= firstOwnFormat && pattern.length <= longestPattern && showsDate(pattern);
}

/**
 * Returns whether a format displays a date, such as `dd/mm/yyyy` or `[$-407]d. mmmm yyyy;@`, but not `0.00
 * "days"` or `General`.
 */
function showsDate(pattern: string): boolean {
  const bare = pattern.toLowerCase().replace(/;@$/, "").replace(/\\./g, " ");
  return bare.split(";").some((part) => {
    const letters = part
      .replace(/"[^"]*"/g, " ")
      .replace(/(\[?[smhd]{1,2}\]?)[.,]00?0?/g, "$1")
      .replace(/\[([smhd]{1,2})\]/g, "$1")
      .replace(/\[[^\]]*\]/g, "")
      .split(/[^a-z0#?%]+/)
      .filter((token) => token !== "");
    return letters.length > 0 && letters.every((token) => dateTokens.has(token));
  });
}

const dateTokens = new Set(
  "s ss m mm mmm mmmm mmmmm h hh am pm a p d dd ddd dddd aaa aaaa aaaaa y yy yyyy e ee eeee".split(" "),
);
