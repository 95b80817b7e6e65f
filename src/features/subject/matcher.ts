/** Finds a caller's phone numbers, email addresses and names in text, in many spellings. Pure. */
import type { Identifiers, PhoneNumber } from "./identifiers.js";
import { splitWords } from "./identifiers.js";

/**
 * `certain`: the caller's phone number, email address or ID. `possible`: a match that the user must check,
 * such as a number with an extension. `hint`: a name, because other people may have the same name.
 */
export type Certainty = "certain" | "possible" | "hint";

export const certain = "certain" satisfies Certainty;

export interface Match {
  start: number;
  end: number;
  by: "phone" | "email" | "name" | "id";
  certainty: Certainty;
  /** The matching text, verbatim. */
  text: string;
}

export interface Matcher {
  /**
   * Returns matches that don't overlap, in text order. The positions refer to the text in Unicode
   * normalization form NFC.
   */
  find(text: string): Match[];
}

/** @param ids IDs to search for, such as those of the caller's contacts */
export function createMatcher({ numbers, emails, names }: Identifiers, ids: readonly string[] = []): Matcher {
  const finders = [
    ...numbers.map(createNumberFinder),
    ...emails.map(createEmailFinder),
    ...ids.map(createIdFinder),
    ...names.map(createNameFinder),
  ];
  return {
    find(text) {
      const whole = text.normalize("NFC");
      const quick = createQuickView(whole);
      const matches = finders.flatMap((finder) => (finder.isPossible(quick) ? finder.find(whole) : []));
      if (matches.length === 0) return matches;
      matches.sort((left, right) => getRank(left) - getRank(right) || left.start - right.start);
      const kept: Match[] = [];
      for (const match of matches)
        if (kept.every(({ start, end }) => match.end <= start || match.start >= end)) kept.push(match);
      return kept.sort((left, right) => left.start - right.start);
    },
  };
}

interface Finder {
  /** Returns whether the text can contain a match. A thousand times as fast as `find`. */
  isPossible(text: QuickView): boolean;
  find(text: string): Match[];
}

interface QuickView {
  lower: string;
  /** All digits of the text, including those written as words. */
  readonly digits: string;
}

function createQuickView(text: string): QuickView {
  const lower = text.toLowerCase();
  let digits: string | undefined;
  return {
    lower,
    get digits() {
      digits ??= lower
        .replaceAll("%20", " ")
        .replace(anyDigit, (match) => digitOf.get(match) ?? match.normalize("NFKC"))
        .replace(/\D+/g, "");
      return digits;
    },
  };
}

const degrees = ["certain", "possible", "hint"] as const satisfies readonly Certainty[];

const getRank = ({ certainty }: Match) => degrees.indexOf(certainty);

export function findSurest(all: readonly Certainty[]): Certainty {
  return degrees.find((degree) => all.includes(degree)) ?? "hint";
}

/**
 * Matches up to four separators between two digits of a number: white space, punctuation, invisible
 * characters or `%20` in URLs.
 */
const between =
  "(?:[\\s()\\[\\].,\\-/_\\u00b7\\u2010-\\u2015\\u2212\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff\\u00ad]|%20){0,4}";

const spoken = [
  "null|zero",
  "eins|ein|one",
  "zwei|zwo|two",
  "drei|three",
  "vier|four",
  "fünf|fuenf|five",
  "sechs|six",
  "sieben|seven",
  "acht|eight",
  "neun|nine",
];

const digitOf = new Map(
  spoken.flatMap((names, value) => names.split("|").map((name) => [name, String(value)] as const)),
);
const anyDigit = new RegExp(`${spoken.join("|")}|[\\uff10-\\uff19]`, "g");

function digit(value: string): string {
  const wide = String.fromCodePoint(0xff10 + Number(value));
  return `(?:[${value}${wide}]|(?:${spoken[Number(value)]})(?!\\p{L}))`;
}

const digits = (text: string) => [...text].map(digit).join(between);

const plus = "(?:\\+|\\uff0b|%2b|plus\\s)";
const abroad = `(?:${plus}|(?<!\\d)(?:00|011))`;
/** Doesn't match digits after a country code, because they may be another country's number. */
const notAbroad = `(?<!(?:${abroad})\\d{1,3}${between})`;
/** Digits after a hyphen, slash or dot may be an extension, which belongs to another person. */
const extension = /^[-/.]\d/;
/** Minimum number of digits for a certain match of an international number without `+`. */
const leastBare = 9;
const leastNational = 7;

function createNumberFinder({ code, subscriberNumber, national, isHome }: PhoneNumber): Finder {
  const zero = `(?:\\(?${digit("0")}\\)?${between})?`;
  const international = `${abroad}${between}${digits(code)}${code === "" ? "" : between}${code === "" ? "" : zero}${digits(subscriberNumber)}`;
  const forms: { source: string; certainty: Certainty }[] = [
    { source: international, certainty: "certain" },
    {
      source: `(?<![\\d\\p{L}])${notAbroad}${digits(code + subscriberNumber)}`,
      certainty: (code + subscriberNumber).length >= leastBare ? "certain" : "possible",
    },
    ...national.map((own) => ({
      source: `(?<!\\d)${notAbroad}${digits(own)}`,
      certainty: isHome && own.length >= leastNational ? ("certain" as const) : ("possible" as const),
    })),
  ];
  // Spreadsheets remove a leading zero, so also search for the number without the zero.
  if (subscriberNumber.length >= leastBare - 1 && !national.includes(subscriberNumber))
    forms.push({ source: `(?<![\\d\\p{L}]${between})${digits(subscriberNumber)}`, certainty: "possible" });
  const patterns = forms.map(({ source, certainty }) => ({
    certainty,
    pattern: new RegExp(`${source}(?!\\d)`, "giu"),
  }));
  return {
    isPossible: (text) => [subscriberNumber, ...national].some((some) => text.digits.includes(some)),
    find: (text) =>
      patterns.flatMap(({ pattern, certainty }) =>
        findMatches(text, pattern, "phone", (end) =>
          extension.test(text.slice(end, end + 2)) ? "possible" : certainty,
        ),
      ),
  };
}

function createEmailFinder(email: string): Finder {
  const [local = "", domain = ""] = splitLast(email, "@");
  const at = "(?:@|%40|\\s?[(\\[](?:at|ät)[)\\]]\\s?)";
  const pattern = new RegExp(
    `(?<![\\p{L}\\d._%+\\-])${escapePattern(local)}${at}${escapePattern(domain)}(?![\\p{L}\\d\\-]|\\.[\\p{L}\\d])`,
    "giu",
  );
  // In a link, an address may follow `%20` or a colon.
  const inLink = new RegExp(
    `(?<=%20|%3c|%22|mailto:)${escapePattern(local)}${at}${escapePattern(domain)}(?![\\p{L}\\d\\-])`,
    "giu",
  );
  return {
    isPossible: (text) => text.lower.includes(local),
    find: (text) => [...findMatches(text, pattern, "email"), ...findMatches(text, inLink, "email")],
  };
}

function splitLast(text: string, separator: string): [string, string] {
  const at = text.lastIndexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}

function createIdFinder(id: string): Finder {
  const pattern = new RegExp(`(?<![\\p{L}\\d])${escapePattern(id)}(?![\\p{L}\\d])`, "giu");
  return {
    isPossible: (text) => text.lower.includes(id.toLowerCase()),
    find: (text) => findMatches(text, pattern, "id"),
  };
}

const spellings: Readonly<Record<string, string>> = {
  ä: "ä|ae|a",
  ö: "ö|oe|o",
  ü: "ü|ue|u",
  ß: "ß|ss",
  é: "é|e",
  è: "è|e",
};

function createNameFinder(name: string): Finder {
  const words = splitWords(name).map((word) =>
    [...word.toLowerCase()]
      .map((letter) =>
        Object.hasOwn(spellings, letter) ? `(?:${spellings[letter]})` : escapePattern(letter),
      )
      .join(""),
  );
  const orders = [words, ...(words.length > 1 ? [[words.at(-1) ?? "", ...words.slice(0, -1)]] : [])];
  const source = orders.map((order) => order.join("[\\s,.;_\\-]{1,3}")).join("|");
  const pattern = new RegExp(`(?<![\\p{L}\\d])(?:${source})(?![\\p{L}\\d])`, "giu");
  return { isPossible: () => true, find: (text) => findMatches(text, pattern, "name", () => "hint") };
}

function findMatches(
  text: string,
  pattern: RegExp,
  by: Match["by"],
  certaintyOf: (end: number) => Certainty = () => "certain",
): Match[] {
  return [...text.matchAll(pattern)].map((match) => {
    const end = match.index + match[0].length;
    return { start: match.index, end, by, certainty: certaintyOf(end), text: match[0] };
  });
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
