import { type Fields, textIn } from "../../../output/fields.js";
import { utterancesOf } from "../call/text.js";
import { months, placeOf, weekdays } from "./calendar-words.js";
import { withDigits } from "./number-words.js";

/** The facts in an assistant's sentences that must not be wrong, in one form each. */
export interface Said {
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
const kinds: readonly (readonly [keyof Said, RegExp, (found: RegExpExecArray) => string])[] = [
  [
    "phones",
    /(?:\+|\b0)(?:[ /()-]{0,3}\d){6,}/g,
    ([text]) => (text.startsWith("+") ? text.replace("(0)", "") : text).replace(/[^\d+]/g, ""),
  ],
  ["dates", /\b(\d{4})-(\d\d)-(\d\d)\b/g, ([, year, mm, dd]) => dateText(dd, mm, year)],
  ["dates", /\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d\d)?/g, ([, dd, mm, year]) => dateText(dd, mm, year)],
  [
    "dates",
    new RegExp(`\\b(\\d{1,2})(?:\\.|st|nd|rd|th)?\\s+(?:of\\s+)?(${month})\\b(?:\\s+(\\d{4}))?`, "giu"),
    ([, dd, name = "", year]) => dateText(dd, monthNumber(name), year),
  ],
  [
    "dates",
    new RegExp(`\\b(${month})\\s+(\\d{1,2})(?:\\.|st|nd|rd|th)?(?!\\d)(?:,?\\s+(\\d{4}))?`, "giu"),
    ([, name = "", dd, year]) => dateText(dd, monthNumber(name), year),
  ],
  [
    "prices",
    new RegExp(
      `(${sum})\\s?(${currency})(?:${cents})?|([€$£]|\\b(?:eur|usd|chf|gbp|pln))\\s?(${sum})`,
      "giu",
    ),
    ([, before, behindIt = "", behind, beforeIt = "", after]) =>
      priceText(
        amount(behind === undefined ? (before ?? after ?? "") : `${before}.${behind}`),
        behindIt + beforeIt,
      ),
  ],
  [
    "dates",
    new RegExp(`\\b(${weekday})s?\\b`, "giu"),
    ([, name = ""]) => weekdays[placeOf(weekdays, name)]?.split("|").at(-1) ?? "",
  ],
  ["numbers", /(?:\bminus |(?<=^|\s)-)?\d+(?:[.,:]\d+)*/gi, ([text]) => text.replace(/^(?:minus |-)/i, "-")],
];

/** Phone numbers, dates, prices and other numbers that the assistant said, in digits or in words. */
export function saidIn(call: Fields): Said {
  let text = utterancesOf(call)
    .filter((utterance) => textIn(utterance, "role") === "assistant")
    .map((utterance) => withDigits(textIn(utterance, "text")))
    .join("\n")
    .replace(weekdayOfDate, "");
  const said: Said = { phones: [], dates: [], prices: [], numbers: [] };
  for (const [kind, pattern, form] of kinds) {
    for (const found of text.matchAll(pattern)) said[kind].push(form(found));
    text = text.replace(pattern, " ");
  }
  for (const kind of ["phones", "dates", "prices", "numbers"] as const)
    said[kind] = [...new Set(said[kind])].sort();
  return said;
}

function monthNumber(name: string): string {
  return String(placeOf(months, name) + 1);
}

function priceText(sum: string, currencyName: string): string {
  const [code = ""] =
    currencies.find(([, names]) => new RegExp(`^(?:${names})$`, "iu").test(currencyName)) ?? [];
  return code === "" ? sum : `${sum} ${code}`;
}

/** `08-03`, with the year where one was said. */
function dateText(day = "", monthText = "", year?: string): string {
  const whole = year === undefined ? "" : `${year.length === 2 ? `20${year}` : year}-`;
  return `${whole}${monthText.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** `1.299,00` and `1299` are the same. */
function amount(text: string): string {
  const [, whole = text, cents = ""] = /^(.*?)(?:[.,](\d{1,2}|[-–]{1,2}))?$/.exec(text) ?? [];
  return `${whole.replace(/[.,]/g, "")}.${cents.replace(/\D/g, "").padEnd(2, "0")}`;
}
