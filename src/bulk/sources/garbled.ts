// Names that no person has: letters that another encoding shows as signs.
import type { Encoding } from "./types.js";

/** In any encoding: control characters, an opening quote within a word, lost letters. */
const never = [
  /[\u0080-\u009f]/u,
  /\p{L}\u2018\p{L}/u,
  /\ufffd/u,
  // UTF-8 that was read as Windows-1252 and saved again: `MÃ¼ller`, `Å‚ukasz`.
  /[ÂÃÄÅ][¡-©¬-¹¼-¿€…‚„†‡‰‹›™˜ˆ•]|Ã[ŸŒœŽžŠš–—]/u,
];

/** In an encoding of one byte a character, whose bytes fit any other, too. */
const inOneByte = [
  // Within a word: DOS's `M„ller` and `Gr”n`, Mac Roman's `J‰ger`.
  /\p{L}[€„“”†‡‰‹›™ˆ˜¸…•°«»®©¿]\p{L}/u,
  // Beside a letter: `D¹browska`, `£ukasz`, `Mu¤oz`, `Stra§e`.
  /\p{L}[£¤¥¢¦¬¯±¹³¶¼¾§¡‰‡ƒ∂∫∑∆∞≤≥≠√≈◊Ω]|[£¤¥¢¦¬¯±¹³¶¼¾§¡‰‡ƒ∂∫∑∆∞≤≥≠√≈◊Ω]\p{L}/u,
  // Behind a letter: `Andr‚`; before one: `ªtefan`, `©imon`.
  /\p{L}[„‚¿]|[ªº®©]\p{Ll}/u,
  // DOS's `Gro·`. In Catalan it stands between two l, in a company's name before a capital.
  /(?!l·l)\p{Ll}·(?!\p{Lu})/u,
  // A script without Latin letters: its words are accents throughout.
  /(?![äöüßÄÖÜ]{4})[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u017f]{4}/u,
];

/** Capital letters in the midst of a word: those that are another encoding's small ones. */
const capitals: Partial<Record<Encoding, RegExp>> = {
  "windows-1252": /\p{Ll}[ŠŒŽŸ]|(?!DŽ)\p{Lu}[ŠŒŽŸ]\p{Ll}|Ÿ\p{Ll}/u,
  macintosh: /\p{Ll}[ÅÇÉÑ]|\p{Lu}[ÅÇÉÑ]\p{Ll}/u,
};

/** Was a name decoded wrongly, as it seems? */
export function isGarbled(name: string, encoding: Encoding): boolean {
  // Most names.
  if (!/[^\x20-\x7e]/.test(name)) return false;
  if (never.some((pattern) => pattern.test(name))) return true;
  if (encoding.startsWith("utf")) return false;
  return inOneByte.some((pattern) => pattern.test(name)) || capitals[encoding]?.test(name) === true;
}
