import { quoteWord } from "../../../base/shell-words.js";
import { formatCount } from "../../../base/text.js";
import { formatRows } from "../../../cli/bulk/run.js";
import type { ContactInput } from "../contacts/input.js";

interface AdviceOptions {
  /** Columns whose empty cells clear a field; undefined unless the run replaces contacts. */
  clearEmpty: readonly string[] | undefined;
  keyColumn: string | undefined;
}

/** Returns one note per subject. */
export function formatAdvice(contacts: ContactInput, options: AdviceOptions): string[] {
  const { count, first } = contacts.getRemarks("droppedText");
  const dropped =
    count === 0
      ? undefined
      : `ignored text after a phone number in ${formatCount(count, "row")}, such as "${first}"`;
  const nothing = contacts.getRemarks("nothing");
  const noName = contacts.getRemarks("noName");
  const doubtful = contacts.getRemarks("doubtfulName");
  const { country, ownCode, foreignCode: otherCountryCode } = contacts.remedied();
  return [
    formatCountryAdvice(country),
    formatPlusAdvice(ownCode, "the country's"),
    formatPlusAdvice(otherCountryCode, "another country's"),
    formatFirstNameAdvice(contacts),
    formatZeroAdvice(contacts),
    formatAmbiguousAdvice(contacts),
    formatSkippedDevices(contacts),
    dropped,
    nothing.count === 0
      ? undefined
      : `treating "${nothing.first}" as an empty phone number or email in ${formatCount(nothing.count, "row")}`,
    noName.count === 0
      ? undefined
      : `treating "${noName.first}" as an empty name in ${formatCount(noName.count, "row")}`,
    doubtful.first === undefined
      ? undefined
      : formatDoubtfulNames([...new Set([...contacts.doubtfulNames(), doubtful.first])], doubtful.count),
    formatUnreachable(contacts, options),
    formatShortRows(contacts),
  ].filter((text) => text !== undefined);
}

function formatUnreachable(
  contacts: ContactInput,
  { clearEmpty, keyColumn }: AdviceOptions,
): string | undefined {
  const { count, rows, place } = contacts.getRemarks("unreachable");
  if (place === undefined) return undefined;
  const text = `accepting ${formatCount(count, "row")} without a phone number or email (${count === 1 ? place : formatRows(rows)})`;
  const { phone_numbers, emails } = contacts.columns.columns;
  const columns = [...phone_numbers, ...emails].map((index) => contacts.names[index] ?? "");
  const kept = columns.find((name) => clearEmpty?.includes(name) === false);
  // Without a key column, a row without a phone number or email can't match a contact that has one.
  if (kept === undefined || keyColumn === undefined) return text;
  return `${text}; existing contacts keep their last phone number or email, unless you use --clear-empty ${quoteWord(kept)}`;
}

function formatShortRows(contacts: ContactInput): string | undefined {
  const { count, rows, place } = contacts.getRemarks("short");
  if (place === undefined) return undefined;
  const [has, are] = count === 1 ? ["has", "it is"] : ["have", "they are"];
  return `treating missing cells as empty in ${formatCount(count, "row")} that ${has} fewer cells than the header (${count === 1 ? place : formatRows(rows)}); check whether ${are} complete`;
}

/** Only the user knows whether a word such as `Null` is a name or means "no value". */
function formatDoubtfulNames(words: readonly string[], rows: number): string {
  const names = words.length === 1 ? "a name" : "names";
  const list = words.map((word) => `"${word}"`).join(", ");
  return `treating ${list} as ${names} in ${formatCount(rows, "row")} (existing contacts keep their names); if ${words.length === 1 ? "it is not a name" : "these are not names"}, clear the cells`;
}

/** Spreadsheets that store phone numbers as numeric cells remove the plus sign. */
function formatPlusAdvice(numbers: number, whose: string): string | undefined {
  if (numbers === 0) return undefined;
  const have = numbers === 1 ? "has" : "have";
  return `${formatCount(numbers, "phone number")} ${have} ${whose} calling code but no plus; to add the plus, use --trust-calling-code`;
}

/**
 * Spreadsheets that store phone numbers as numeric cells remove the leading zero. Numbers without an area
 * code never have a leading zero.
 */
function formatZeroAdvice(contacts: ContactInput): string | undefined {
  const { count, first, place } = contacts.getRemarks("withoutZero");
  if (first === undefined) return undefined;
  const have = count === 1 ? "has a phone number" : "have phone numbers";
  return `${formatCount(count, "row")} ${have} without + or 0 at the start: "${first.written}" (${place}) was read as ${first.taken}; if the area code is missing, add it`;
}

/** Formats a warning about digits that are a valid number both with a plus and without a plus. */
function formatAmbiguousAdvice(contacts: ContactInput): string | undefined {
  const { count, first, place } = contacts.getRemarks("ambiguous");
  if (first === undefined) return undefined;
  const have = count === 1 ? "has a phone number that is" : "have phone numbers that are";
  return `${formatCount(count, "row")} ${have} valid with and without a plus: "${first.written}" (${place}) was read as ${first.taken}, not as ${first.instead}`;
}

function formatSkippedDevices(contacts: ContactInput): string | undefined {
  const { count, first } = contacts.getRemarks("otherDevice");
  if (first === undefined) return undefined;
  return `skipped fax and pager numbers in ${formatCount(count, "row")}, such as "${first}"`;
}

/** Most lists contain national numbers, so one hint about --country helps more than an error in each row. */
function formatCountryAdvice(numbers: number): string | undefined {
  if (numbers === 0) return undefined;
  const have = numbers === 1 ? "has" : "have";
  const them = numbers === 1 ? "it as a German number" : "them as German numbers";
  return `${formatCount(numbers, "phone number")} ${have} no country code; to read ${them}, use --country DE`;
}

/** Matches address-book columns that relate to a company but don't contain its name. */
const ofCompany =
  /\b(?:typ|type|title|titel|department|abteilung|position|phonetic|yomi|street|stra(?:ß|ss)e|e-?mail|tel)/i;
const company = /^(?:firm[ae]|firmenname|company|organi[sz]ation|unternehmen|betrieb|institution)\b/i;

function formatFirstNameAdvice({
  names,
  columns,
  source,
  withoutFirstName,
}: ContactInput): string | undefined {
  const rows = withoutFirstName();
  const own = columns.columns.first_name.map((index) => names[index]);
  if (
    source.format === "vcard" ||
    rows === 0 ||
    own.length === 0 ||
    columns.pairs.size > 0 ||
    columns.standIns.length > 0
  )
    return undefined;
  const alternatives = [
    ...columns.columns.last_name.map((index) => names[index]),
    ...columns.unread.filter((name) => company.test(name) && !ofCompany.test(name)),
  ];
  if (alternatives.length === 0) return undefined;
  const have = rows === 1 ? "has" : "have";
  const map = `first_name=${[own.join("|"), ...alternatives].join("||")}`;
  return `${formatCount(rows, "row")} ${have} no first name, which a contact requires; to use ${alternatives.map((name) => `"${name}"`).join(" or ")} instead, use --map ${quoteWord(map)}`;
}
