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
/** From here on a file defines formats of its own. */
const firstOwnFormat = 100;
/** Spreadsheet programs hold as many styles and formats, and as many characters in a format. */
const mostStyles = 65_536;
const longestPattern = 255;

/**
 * Which of a workbook's styles show a number as a date.
 * @param name the part that holds the styles; undefined in a workbook without any
 */
export async function readDateStyles(
  archive: Archive,
  name: string | undefined,
): Promise<(style: number) => boolean> {
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
  for (const [style, format] of formats.entries())
    if (isDateFormat(format, own.get(format))) dates.add(style);
  return (style) => dates.has(style);
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
