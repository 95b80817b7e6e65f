import { type Fields, getText } from "../../../output/fields.js";
import { listUtterances } from "../call/text.js";
import { findNameIndex, months, weekdays } from "./calendar-words.js";
import { replaceNumberWords } from "./number-words.js";

/** The facts in an assistant's sentences that must not be wrong, in one form each. */
export interface TranscriptFacts {
  phones: string[];
  dates: string[];
  prices: string[];
  numbers: string[];
}

const month = months.join("|");
/** By their codes; euros, which nearly all are, have none. */
const currencies: readonly (readonly [code: string, names: string])[] = [
  ["", "€|(?:euros?|eur)(?!\\p{L})"],
  ["USD", "\\$|(?:dollars?|usd)(?!\\p{L})"],
  ["GBP", "£|(?:pounds?|pfund|gbp)(?!\\p{L})"],
  ["CHF", "(?:chf|franken)(?!\\p{L})"],
  ["PLN", "zł|(?:pln|złotych|złoty)(?!\\p{L})"],
];
const currency = currencies.map(([, names]) => names).join("|");
const weekday = weekdays.join("|");
/** A day of the week that stands before its date is no news: "Freitag, den 3. August". */
const weekdayOfDate = new RegExp(
  `\\b(?:${weekday}),?\\s+(?:(?:de[nmr]|am|the|on)\\s+)?(?=\\d{1,2}\\.?\\s?\\d{1,2}\\.|\\d{1,2}(?:\\.|st|nd|rd|th)?\\s+(?:of\\s+)?(?:${month})\\b|(?:${month})\\s+\\d|\\d{4}-)`,
  "giu",
);
/** "1.299,00", "95", and "95,-" as price lists have it. */
const sum = "\\d+(?:[.,]\\d{1,3})*(?:,[-–]{1,2})?";
/** Words behind a sum that nothing of a number counts. */
const linking =
  "pro|im|je|per|an|a|und|and|oder|or|bis|to|plus|inkl|inklusive|incl|zzgl|zuzüglich|für|for|in|am|at|bei|mit|with|zu|als|" +
  "wäre|wären|ist|sind|is|are|kostet|kosten|costs|pauschal|netto|brutto|each|mehr";
/** "19 Euro 90": two digits behind, of which no other word says what they count. */
const cents = `\\s(?:und\\s|and\\s)?(\\d\\d)(?:\\s?cents?\\b|(?![.,:]?\\d)(?=\\s*(?:[^\\s\\p{L}\\p{N}]|$|(?:${linking})\\b)))`;

/** Each is taken out before the next is looked for, so that a date's year is no number besides. */
const factPatterns: readonly (readonly [
  keyof TranscriptFacts,
  RegExp,
  (match: RegExpExecArray) => string,
])[] = [
  [
    "phones",
    /(?:\+|\b0)(?:[ /()-]{0,3}\d){6,}/g,
    ([text]) => (text.startsWith("+") ? text.replace("(0)", "") : text).replace(/[^\d+]/g, ""),
  ],
  ["dates", /\b(\d{4})-(\d\d)-(\d\d)\b/g, ([, year, mm, dd]) => formatDate(dd, mm, year)],
  ["dates", /\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d\d)?/g, ([, dd, mm, year]) => formatDate(dd, mm, year)],
  [
    "dates",
    new RegExp(`\\b(\\d{1,2})(?:\\.|st|nd|rd|th)?\\s+(?:of\\s+)?(${month})\\b(?:\\s+(\\d{4}))?`, "giu"),
    ([, dd, name = "", year]) => formatDate(dd, toMonthNumber(name), year),
  ],
  [
    "dates",
    new RegExp(`\\b(${month})\\s+(\\d{1,2})(?:\\.|st|nd|rd|th)?(?!\\d)(?:,?\\s+(\\d{4}))?`, "giu"),
    ([, name = "", dd, year]) => formatDate(dd, toMonthNumber(name), year),
  ],
  [
    "prices",
    new RegExp(
      `(${sum})\\s?(${currency})(?:${cents})?|([€$£]|\\b(?:eur|usd|chf|gbp|pln))\\s?(${sum})`,
      "giu",
    ),
    ([, before, behindIt = "", behind, beforeIt = "", after]) =>
      formatPrice(
        normalizeAmount(behind === undefined ? (before ?? after ?? "") : `${before}.${behind}`),
        behindIt + beforeIt,
      ),
  ],
  [
    "dates",
    new RegExp(`\\b(${weekday})s?\\b`, "giu"),
    ([, name = ""]) => weekdays[findNameIndex(weekdays, name)]?.split("|").at(-1) ?? "",
  ],
  ["numbers", /(?:\bminus |(?<=^|\s)-)?\d+(?:[.,:]\d+)*/gi, ([text]) => text.replace(/^(?:minus |-)/i, "-")],
];

/** Phone numbers, dates, prices and other numbers that the assistant said, in digits or in words. */
export function extractFacts(call: Fields): TranscriptFacts {
  let text = listUtterances(call)
    .filter((utterance) => getText(utterance, "role") === "assistant")
    .map((utterance) => replaceNumberWords(getText(utterance, "text")))
    .join("\n")
    .replace(weekdayOfDate, "");
  const facts: TranscriptFacts = { phones: [], dates: [], prices: [], numbers: [] };
  for (const [factType, pattern, format] of factPatterns) {
    for (const match of text.matchAll(pattern)) facts[factType].push(format(match));
    text = text.replace(pattern, " ");
  }
  for (const factType of ["phones", "dates", "prices", "numbers"] as const)
    facts[factType] = [...new Set(facts[factType])].sort();
  return facts;
}

function toMonthNumber(name: string): string {
  return String(findNameIndex(months, name) + 1);
}

function formatPrice(sum: string, currencyName: string): string {
  const [code = ""] =
    currencies.find(([, names]) => new RegExp(`^(?:${names})$`, "iu").test(currencyName)) ?? [];
  return code === "" ? sum : `${sum} ${code}`;
}

/** `08-03`, with the year where one was said. */
function formatDate(day = "", monthText = "", year?: string): string {
  const whole = year === undefined ? "" : `${year.length === 2 ? `20${year}` : year}-`;
  return `${whole}${monthText.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** `1.299,00` and `1299` are the same. */
function normalizeAmount(text: string): string {
  const [, whole = text, cents = ""] = /^(.*?)(?:[.,](\d{1,2}|[-–]{1,2}))?$/.exec(text) ?? [];
  return `${whole.replace(/[.,]/g, "")}.${cents.replace(/\D/g, "").padEnd(2, "0")}`;
}
