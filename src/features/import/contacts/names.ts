// Cleans names that programs wrote: words for "no value", HTML entities, invisible characters.
import { removeInvisible } from "../../../base/text.js";

const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d?));/gi;
/** Maximum number of times that an entity is decoded. For example, `&amp;uuml;` was encoded twice. */
const mostDecodings = 3;

/** Combining characters for the accents in entity names, such as `acute` in `&eacute;`. */
const accents: Readonly<Record<string, string>> = {
  grave: "\u0300",
  acute: "\u0301",
  circ: "\u0302",
  tilde: "\u0303",
  macr: "\u0304",
  breve: "\u0306",
  dot: "\u0307",
  uml: "\u0308",
  ring: "\u030a",
  dblac: "\u030b",
  caron: "\u030c",
  cedil: "\u0327",
  ogon: "\u0328",
};

const named: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", shy: "" },
  ...{ szlig: "ß", AElig: "Æ", aelig: "æ", OElig: "Œ", oelig: "œ", Oslash: "Ø", oslash: "ø" },
  ...{ Lstrok: "Ł", lstrok: "ł", ETH: "Ð", eth: "ð", THORN: "Þ", thorn: "þ", inodot: "ı", imath: "ı" },
  ...{ lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", ndash: "–", mdash: "—", middot: "·" },
};

/** @returns an empty string if nothing remains; undefined if an entity can't be decoded */
export function cleanName(written: string): string | undefined {
  // Most names take this fast path.
  if (/^[A-Za-z\u00c0-\u024f '.-]*$/.test(written) && /[^ '.-]/.test(written)) return written.trim();
  let text = written;
  for (let time = 0; time < mostDecodings && text.search(entity) >= 0; time += 1) {
    const parts = [...text.matchAll(entity)].map((match) => decodeEntity(match));
    if (parts.includes(undefined)) return undefined;
    text = text.replace(entity, () => parts.shift() ?? "");
  }
  // A dash, or other text that consists only of punctuation and spaces, is not a name.
  if (/^[\p{P}\s]*$/u.test(removeInvisible(text))) return "";
  return text
    .replace(/\p{Default_Ignorable_Code_Point}/gu, (character, at: number) =>
      isShaping(character, text.slice(Math.max(0, at - 2), at), text.slice(at + 1, at + 3)) ? character : "",
    )
    .trim();
}

const shaped =
  "(?![\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}])[\\p{L}\\p{M}\\p{Extended_Pictographic}\\p{Emoji_Modifier}]";
const endsShaped = new RegExp(`${shaped}$`, "u");
const beginsShaped = new RegExp(`^${shaped}`, "u");

/** Returns whether an invisible character shapes its neighbors, as in emoji and in Sinhala or Persian names. */
function isShaping(character: string, before: string, after: string): boolean {
  if (character === "\ufe0f") return /\p{Extended_Pictographic}$/u.test(before);
  return /\u200c|\u200d/.test(character) && endsShaped.test(before) && beginsShaped.test(after);
}

function decodeEntity([, decimal, hexadecimal, name = ""]: RegExpMatchArray): string | undefined {
  if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10));
  if (hexadecimal !== undefined) return characterOf(Number.parseInt(hexadecimal, 16));
  if (Object.hasOwn(named, name)) return named[name];
  const accent = accents[name.slice(1).toLowerCase()];
  return accent === undefined ? undefined : `${name[0]}${accent}`.normalize("NFC");
}

function characterOf(code: number): string | undefined {
  const isCharacter =
    code >= 0x20 && code <= 0x10ffff && (code < 0x7f || code > 0x9f) && (code & 0xf800) !== 0xd800;
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

const programWord = /^(?:[(<[]?(?:null|none|nil|nan|nat|n\/?a|undefined)[)>\]]?|\\N|\[object \w+\]|#n\/?a)$/i;
/** Maximum number of characters in a word that means "no value". */
const longest = 24;

/** Returns whether programs write this word for a missing value. `Null` may also be a surname. */
export function isProgramWord(cell: string): boolean {
  return cell.length <= longest && /^[nu\\(<[#]/i.test(cell) && programWord.test(cell);
}

/**
 * Finds words such as `NULL` that mean "no value". A word with the same spelling in several columns has this
 * meaning, because names rarely repeat across columns.
 */
export function watchProgramWords() {
  const columns = new Map<string, string>();
  const known = new Set<string>();
  const inNames = new Set<string>();
  return {
    see(
      names: readonly string[],
      values: readonly unknown[],
      { readAt, namesAt, emptyAt }: Record<"readAt" | "namesAt" | "emptyAt", readonly number[]>,
    ): void {
      for (const index of readAt) {
        const value = values[index];
        if (typeof value !== "string") continue;
        const word = value.trim();
        if (!isProgramWord(word)) continue;
        const column = names[index] ?? String(index);
        if ((columns.get(word) ?? column) === column && !emptyAt.includes(index)) columns.set(word, column);
        else known.add(word);
        if (namesAt.includes(index)) inNames.add(word);
      }
    },
    doubtful: () => [...inNames].filter((word) => !known.has(word)),
    isNothing: (text: string): boolean => known.size > 0 && known.has(text.trim()),
  };
}
