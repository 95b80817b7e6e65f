import type { Archive } from "./archive.js";
import { damaged } from "./limits.js";
import { readPart } from "./workbook.js";
import { attributesOf } from "./xml.js";

/** Formats that every spreadsheet program knows by their number: dates and times, and those of the Far East and Thailand. */
const knownRanges = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
] as const;
/** Ids from here on are custom formats of the file. */
const firstOwnFormat = 100;
/** Spreadsheet programs allow this many styles, formats, and characters in a format. */
const mostStyles = 65_536;
const longestPattern = 255;

/** How a workbook's styles show numbers. */
export interface NumberStyles {
  isDate(style: number): boolean;
  /**
   * Formats a number with a style that adds a plus or digits before it, `"+"0`; undefined for other styles.
   */
  showDialled(style: number, digits: string): string | undefined;
}

/**
 * Reads how the styles of a workbook show numbers.
 * @param name the part with the styles; undefined in a workbook without any
 */
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
        if (own.size > mostStyles || formats.length > mostStyles) throw damaged("it has too many styles");
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
  /** Minimum number of digits; shorter numbers get leading zeros. */
  zeros: number;
}

/** The text before the digits, plain or in quotes, and the digits: `"+49 "0`, `\+#`. */
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

/** `dd/mm/yyyy`, `[$-407]d. mmmm yyyy;@`, but neither `0.00 "days"` nor `General`. */
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
