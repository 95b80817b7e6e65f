// Patterns that occur in no name and no text: letters that another encoding shows as symbols.
import { hasLostLetters } from "../../../base/utf8.js";
import type { Encoding } from "./types.js";

/** In any encoding: control characters, an opening quote within a word, lost letters. */
const never = anyOf([
  /[\u0080-\u009f]/u,
  /\p{L}\u2018\p{L}/u,
  /\ufffd/u,
  // UTF-8 that was read as Windows-1252 and saved again: `MÃ¼ller`, `Å‚ukasz`.
  /[ÂÃÄÅ][¡-©¬-¹¼-¿€…‚„†‡‰‹›™˜ˆ•]|Ã[ŸŒœŽžŠš–—]/u,
]);

/** In a single-byte encoding, which fits any bytes. */
const singleBytePattern = anyOf([
  // Within a word: DOS's `M„ller` and `Gr”n`, Mac Roman's `J‰ger`.
  /\p{L}[€„“”†‡‰‹›™ˆ˜¸…•°«»®©¿]\p{L}/u,
  // Next to a letter: `D¹browska`, `£ukasz`, `Mu¤oz`, `Stra§e`.
  /\p{L}[£¤¥¢¦¬¯±¹³¶¼¾§¡‰‡ƒ∂∫∑∆∞≤≥≠√≈◊Ω]|[£¤¥¢¦¬¯±¹³¶¼¾§¡‰‡ƒ∂∫∑∆∞≤≥≠√≈◊Ω]\p{L}/u,
  // Behind a letter: `Andr‚`; before one: `ªtefan`, `©imon`.
  /\p{L}[„‚¿]|[ªº®©]\p{Ll}/u,
  // `Gro·` from DOS. In Catalan, it is between two l; in a company name, before a capital.
  /(?!l·l)\p{Ll}·(?!\p{Lu})/u,
  // A script without Latin letters: its words are accents throughout.
  /(?![äöüßÄÖÜ]{4})[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f]{4}/u,
]);

/** Capital letters in the midst of a word: those that are another encoding's small ones. */
const capitals: Partial<Record<Encoding, RegExp>> = {
  "windows-1252": /\p{Ll}[ŠŒŽŸ]|(?!DŽ)\p{Lu}[ŠŒŽŸ]\p{Ll}|Ÿ\p{Ll}/u,
  macintosh: /\p{Ll}[ÅÇÉÑ]|\p{Lu}[ÅÇÉÑ]\p{Ll}/u,
};

/** Returns whether a name was probably decoded wrongly. */
export function isGarbled(name: string, encoding: Encoding): boolean {
  // Most names.
  if (!/[^\x20-\x7e]/.test(name)) return false;
  if (never.test(name)) return true;
  if (encoding.startsWith("utf")) return false;
  return singleBytePattern.test(name) || capitals[encoding]?.test(name) === true;
}

/** Combines patterns into one, so that a text is searched once. */
function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "u");
}

/**
 * Character sequences that no text has in any encoding: control characters, lost letters, UTF-8 that was read
 * as another encoding.
 */
const neverInTexts = [
  // Not U+0085, a line's end in old files.
  "[\\u0080-\\u0084\\u0086-\\u009f]",
  // As Windows-1252: `frÃ¼h`, `Â°`, `â€ž`. A Portuguese `MANHÃ` may be followed by a quote or a dash.
  "Ã[¡-ª¬-º¼-¾ŸŒœŽžŠšƒ„†‡ˆ‰]",
  "(?<!\\p{L})Ã[–—‘’“”…™›•](?=\\p{Ll})",
  "(?<!\\p{L})Â[°§©®²³£]",
  "â€[žœ“”™˜¦š]",
  // As a DOS code page: `fr├╝h`. In a drawn tree, it is followed by a line.
  "├[ñÂ╝ƒ]",
].join("|");

/** Symbols within a word in a single-byte encoding, which fits any bytes. */
const inTexts: Partial<Record<Encoding, string>> = {
  // DOS's `ge”ffnet`, `h„ngt` and `™ffnungszeiten`; Central Europe's `piêædziesi¹t`. Not `„Haus”tür`.
  "windows-1252":
    "(?<![„“”]\\p{L}{0,40})(?<=\\p{Ll})[„”](?=\\p{Ll})|(?<![\\p{L}\\p{N}])™(?=\\p{Ll})|(?<=\\p{Ll}{2})[¹³¿](?=\\p{Ll}{2})",
  // DOS's `frÅh`.
  macintosh: "(?<=\\p{Ll})[ÅÑ](?=\\p{Ll})",
};

/**
 * Detects a text that was probably decoded wrongly. Prose can contain symbols that no name has (`20 m²`, `£`,
 * `„so“`), and a text about encodings even these sequences, so they must outnumber the valid letters. A lost
 * letter is never valid.
 * @returns the position of the first such character
 */
export function garbledAt(text: string, encoding: Encoding): number | undefined {
  if (hasLostLetters(text)) return text.indexOf("\ufffd");
  const signs = [neverInTexts, inTexts[encoding] ?? []].flat();
  const matches = [...text.matchAll(new RegExp(signs.join("|"), "gu"))];
  const [first] = matches;
  if (first === undefined) return undefined;
  return matches.length > (text.match(/[äöüÄÖÜßéèàç]/g) ?? []).length ? first.index : undefined;
}

/** Returns the problem of a garbled text and its remedy: `the file was read as …`. */
export function garbledReason(encoding: Encoding): string {
  return encoding.startsWith("utf")
    ? "the text was probably converted with the wrong encoding: save it again as UTF-8"
    : `the file was read as ${encoding}, but its encoding is probably different: save it as UTF-8`;
}
