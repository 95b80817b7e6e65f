// Detects text that was decoded with the wrong encoding. Such text contains character sequences that don't
// occur in names or prose.
import { hasLostLetters } from "../../../base/utf8.js";
import type { Encoding } from "./types.js";

/**
 * Characters that are never valid in a name: control characters, an opening quote within a word, replacement
 * characters.
 */
const never = anyOf([
  /[\u0080-\u009f]/u,
  /\p{L}\u2018\p{L}/u,
  /\ufffd/u,
  // UTF-8 that a program read and saved again as Windows-1252: `MÃ¼ller`, `Å‚ukasz`.
  /[ÂÃÄÅ][¡-©¬-¹¼-¿€…‚„†‡‰‹›™˜ˆ•]|Ã[ŸŒœŽžŠš–—]/u,
]);

/**
 * Characters that are never valid in a name. Checked only for single-byte encodings, because these decode any
 * byte without an error.
 */
const singleBytePattern = anyOf([
  // Within a word: `M„ller` and `Gr”n` from DOS, `J‰ger` from Mac Roman.
  /\p{L}[€„“”†‡‰‹›™ˆ˜¸…•°«»®©¿]\p{L}/u,
  // Next to a letter: `D¹browska`, `£ukasz`, `Mu¤oz`, `Stra§e`.
  /\p{L}[£¤¥¢¦¬¯±¹³¶¼¾§¡‰‡ƒ∂∫∑∆∞≤≥≠√≈◊Ω]|[£¤¥¢¦¬¯±¹³¶¼¾§¡‰‡ƒ∂∫∑∆∞≤≥≠√≈◊Ω]\p{L}/u,
  // After a letter: `Andr‚`; before a letter: `ªtefan`, `©imon`.
  /\p{L}[„‚¿]|[ªº®©]\p{Ll}/u,
  // `Gro·` from DOS, but not the dot between two l in Catalan or before an uppercase letter in company names.
  /(?!l·l)\p{Ll}·(?!\p{Lu})/u,
  // `Ayþe` and `Yýldýz` from Turkish, but not `þ` at the start of a word, as in Icelandic.
  /\p{L}[þÞ]|ý\p{L}*ý|[oO]ðlu(?!\p{L})/u,
  // Words in non-Latin scripts that were decoded as a series of accented letters.
  /(?![äöüßÄÖÜ]{4})[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f]{4}/u,
]);

/** Uppercase letters within a word. The same byte is a lowercase letter in a different encoding. */
const capitals: Partial<Record<Encoding, RegExp>> = {
  "windows-1252": /\p{Ll}[ŠŒŽŸ]|(?!DŽ)\p{Lu}[ŠŒŽŸ]\p{Ll}|Ÿ\p{Ll}/u,
  macintosh: /\p{Ll}[ÅÇÉÑ]|\p{Lu}[ÅÇÉÑ]\p{Ll}/u,
};

export function isGarbled(name: string, encoding: Encoding): boolean {
  // Most names take this fast path.
  if (!/[^\x20-\x7e]/.test(name)) return false;
  if (never.test(name)) return true;
  if (encoding.startsWith("utf")) return false;
  return singleBytePattern.test(name) || capitals[encoding]?.test(name) === true;
}

/** Combines patterns into one, so that each string is searched only once. */
function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"), "u");
}

/**
 * Characters that are never valid in prose: control characters, replacement characters, UTF-8 in a different
 * encoding.
 */
const neverInTexts = [
  // Control characters, except U+0085, which ends lines in old files.
  "[\\u0080-\\u0084\\u0086-\\u009f]",
  // UTF-8 as Windows-1252: `frÃ¼h`, `Â°`, `â€ž`; but not a quote or dash after a word such as `MANHÃ`
  // (Portuguese).
  "Ã[¡-ª¬-º¼-¾ŸŒœŽžŠšƒ„†‡ˆ‰]",
  "(?<!\\p{L})Ã[–—‘’“”…™›•](?=\\p{Ll})",
  "(?<!\\p{L})Â[°§©®²³£]",
  "â€[žœ“”™˜¦š]",
  // UTF-8 as a DOS code page: `fr├╝h`; but not `├` before a line, as in a drawn tree.
  "├[ñÂ╝ƒ]",
].join("|");

/** For each encoding, the characters within a word that show that a text has a different encoding. */
const inTexts: Partial<Record<Encoding, string>> = {
  // `ge”ffnet`, `h„ngt` and `™ffnungszeiten` from DOS, `piêædziesi¹t` from Central European, but not `„Haus”tür`.
  "windows-1252":
    "(?<![„“”]\\p{L}{0,40})(?<=\\p{Ll})[„”](?=\\p{Ll})|(?<![\\p{L}\\p{N}])™(?=\\p{Ll})|(?<=\\p{Ll}{2})[¹³¿](?=\\p{Ll}{2})",
  // `frÅh`: `früh` from DOS.
  macintosh: "(?<=\\p{Ll})[ÅÑ](?=\\p{Ll})",
};

/**
 * Detects text that was probably decoded incorrectly. Prose can contain symbols, and a text about encodings
 * even contains garbled sequences. Garbled sequences must therefore outnumber valid accented letters. A
 * replacement character is never valid.
 * @returns the position of the first garbled character; undefined if the text looks correct
 */
export function garbledAt(text: string, encoding: Encoding): number | undefined {
  if (hasLostLetters(text)) return text.indexOf("\ufffd");
  const signs = [neverInTexts, inTexts[encoding] ?? []].flat();
  const matches = [...text.matchAll(new RegExp(signs.join("|"), "gu"))];
  const [first] = matches;
  if (first === undefined) return undefined;
  return matches.length > (text.match(/[äöüÄÖÜßéèàç]/g) ?? []).length ? first.index : undefined;
}

export function garbledReason(encoding: Encoding): string {
  return encoding.startsWith("utf")
    ? "the text was probably converted with the wrong encoding: save the file again as UTF-8"
    : `the file was read as ${encoding}, which is probably not its encoding: save it as UTF-8`;
}
