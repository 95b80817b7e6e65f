/** English number words: "one hundred and five", "twenty-first". */
import { months } from "./calendar-words.js";

const units = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const teens = [
  ...["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"],
  ...["eighteen", "nineteen"],
];
const tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
/** Ordinals whose number has another form. */
const irregular: Readonly<Record<string, string>> = {
  ...{ first: "one", second: "two", third: "three", fifth: "five", eighth: "eight", ninth: "nine" },
  twelfth: "twelve",
};

const sizes = new Map<string, number>([
  ...units.map((word, n): [string, number] => [word, n]),
  ...teens.map((word, n): [string, number] => [word, 10 + n]),
  ...tens.map((word, n): [string, number] => [word, 20 + 10 * n]),
  ["a", 1],
]);

/** The cardinal that a word is the ordinal of; the word itself where it is none. */
function toCardinal(word: string): string {
  const known = irregular[word];
  if (known !== undefined) return known;
  const bare = word.replace(/ieth$/, "y").replace(/th$/, "");
  return sizes.has(bare) || bare === "hundred" || bare === "thousand" ? bare : word;
}

const ordinals = [
  ...Object.keys(irregular),
  ...[...units, ...teens].map((word) => `${word}th`),
  ...tens.map((word) => word.replace(/y$/, "ieth")),
];
const unit = units.slice(1).join("|");
/** "second" by itself is mostly a part of a minute. */
const unitOrdinal = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth";
const alone = [...ordinals.filter((word) => word !== "second"), ...units, ...teens].join("|");
const belowHundred = `(?:(?:${tens.join("|")})(?:[- ](?:${unit}|${unitOrdinal}))?|${alone})`;
const belowThousand = `(?:(?:a|${belowHundred}) hundred(?:th)?(?:(?: and)? ${belowHundred})?|${belowHundred})`;
const whole = `(?:(?:a|${belowThousand}) thousand(?:th)?(?:,?(?: and)? ${belowThousand})?|${belowThousand})`;
/** With the point that ends a sentence, and makes no ordinal of a cardinal. */
const pattern = new RegExp(`\\b(${whole})\\b(\\.(?!\\d))?`, "gi");

/** "June second", "the second of June" */
const dateSecond = new RegExp(`(?<=\\b(?:the|${months.join("|")}) )second\\b|\\bsecond(?= of )`, "gi");

/**
 * A text with its English number words in digits; an ordinal with its point, as in German. "one" by itself stays: it is
 * mostly none ("the other one").
 */
export function replaceEnglishNumbers(text: string): string {
  return text.replace(dateSecond, "2.").replace(pattern, (match, number: string, end?: string) => {
    if (/^one$/i.test(number)) return match;
    const words = number.toLowerCase().split(/[-, ]+/);
    const last = words.at(-1) ?? "";
    const isOrdinal = toCardinal(last) !== last;
    const value = toNumber(words.map(toCardinal));
    return `${value}${isOrdinal ? "." : ""}${end === undefined ? "" : " ."}`;
  });
}

function toNumber(words: readonly string[]): number {
  let thousands = 0;
  let value = 0;
  for (const word of words) {
    if (word === "hundred") value *= 100;
    else if (word === "thousand") {
      thousands = value * 1_000;
      value = 0;
    } else value += sizes.get(word) ?? 0;
  }
  return thousands + value;
}
