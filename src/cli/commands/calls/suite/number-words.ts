// Prompts often require numbers as words, because they are spoken: "um neun Uhr", "fünfzig Euro".
import { replaceEnglishNumbers } from "./english-numbers.js";
import { parseGermanNumber, parseGermanOrdinal } from "./german-numbers.js";
import { replaceSpokenTimes } from "./spoken-times.js";

/** A text with its German and English number words in digits, and times of day as `8:30`; an ordinal with its point. */
export function replaceNumberWords(text: string): string {
  return replaceSpokenTimes(
    joinDictatedDigits(joinNumbers(replaceSpokenOne(replaceGermanNumbers(replaceEnglishNumbers(text))))),
  );
}

function replaceGermanNumbers(text: string): string {
  return text.replace(/\p{L}{3,}\.?/gu, (match) => {
    const word = match.replace(".", "");
    const digits = toDigits(word.toLowerCase());
    if (digits === undefined) return match;
    // A cardinal at the end of a sentence is no ordinal.
    return match === word ? digits : `${digits} .`;
  });
}

/** Numbers of several words: "two point five", "zwei Millionen", and the year "twenty twenty-six". */
function joinNumbers(text: string): string {
  return (
    text
      .replace(/(\d) Komma (\d)/gi, "$1,$2")
      .replace(/(\d) point (\d)/gi, "$1.$2")
      .replace(/(\d+)(?:[.,](\d{1,6}))? million(?:en)?\b/gi, (_, whole: string, part = "") =>
        String(Number(`${whole}${part.padEnd(6, "0")}`)),
      )
      // A year: "twenty twenty-six".
      .replace(/(?<![\d:]|\d[.,])(19|20) (\d\d)(?![\d.,:]?\d)/g, "$1$2")
  );
}

function toDigits(written: string): string | undefined {
  const word = written.replace("dreissig", "dreißig").replace("fuenf", "fünf").replace("zwoelf", "zwölf");
  // It means something else at least as often: "ein Termin".
  if (word === "ein") return undefined;
  if (word === "anderthalb") return "1,5";
  const [, whole] = /^(.+)einhalb$/.exec(word) ?? [];
  const half = whole === undefined ? undefined : parseGermanNumber(whole);
  if (half !== undefined) return `${half},5`;
  const plain = parseGermanNumber(word);
  if (plain !== undefined) return String(plain);
  const ordinal = parseGermanOrdinal(word);
  return ordinal === undefined ? undefined : `${ordinal}.`;
}

const countedUnits = "euros?|cents?|dollars?|pounds?|pfund|franken|uhr|prozent|percent|million|%|€";

/** "ein Euro", "one dollar", and the "one" of a number that is dictated, are numbers. */
function replaceSpokenOne(text: string): string {
  let replaced = text.replace(
    new RegExp(`\\b(?:ein(?:en?)?|one) (?=(?:${countedUnits})(?!\\p{L}))`, "giu"),
    "1 ",
  );
  for (let former = ""; former !== replaced; ) {
    former = replaced;
    replaced = replaced.replace(/\bone(?=[ ,-]{1,2}(?:point )?\d)|(?<=\d[ ,-]{1,2})one\b/gi, "1");
  }
  return replaced;
}

/** Digits that are said one by one are one number, of which their order is a part: "null eins sieben, eins zwei". */
function joinDictatedDigits(text: string): string {
  return text
    .replace(/\b(double|triple) (\d)\b/gi, (_, times: string, digit: string) =>
      Array(/double/i.test(times) ? 2 : 3)
        .fill(digit)
        .join(" "),
    )
    .replace(/\boh(?=(?:[ ,-]{1,2}\d\b){2})/gi, "0")
    .replace(/(?<=\b\d[ ,-]{1,2})oh(?=[ ,-]{1,2}\d\b)/gi, "0")
    .replace(/(?<![\d.,:])\d(?:[ ,–-]{1,3}\d(?![\d.,:]?\d)){2,}/g, (digits) => digits.replace(/\D/g, ""))
    .replace(/\bplus\s+(?=\d(?:[ ,/-]{0,2}\d){5,})/gi, "+");
}
