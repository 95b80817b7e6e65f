import { formatCount } from "../../../base/text.js";
import type { ContactInput } from "../../../bulk/contacts/input.js";
import { quoteWord } from "../../errors/shell-words.js";

/** Advice that would let more of the file in, and the parts that were left out. */
export function formatAdvice(contacts: ContactInput): string | undefined {
  const { count, first } = contacts.getRemarks("droppedText");
  const dropped =
    count === 0
      ? undefined
      : `words behind a number are left out in ${formatCount(count, "row")}: "${first}"`;
  const nothing = contacts.getRemarks("nothing");
  const noName = contacts.getRemarks("noName");
  const doubtful = contacts.getRemarks("doubtfulName");
  const unreachable = contacts.getRemarks("unreachable");
  const { country, ownCode, foreignCode: otherCountryCode } = contacts.remedied();
  const texts = [
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
      : `treating "${nothing.first}" as an empty number or address in ${formatCount(nothing.count, "row")}`,
    noName.count === 0
      ? undefined
      : `treating "${noName.first}" as an empty name in ${formatCount(noName.count, "row")}`,
    doubtful.first === undefined
      ? undefined
      : formatDoubtfulNames([...new Set([...contacts.doubtfulNames(), doubtful.first])], doubtful.count),
    unreachable.count === 0
      ? undefined
      : `${formatCount(unreachable.count, "contact")} without number or email, the first in line ${unreachable.first}`,
  ].filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join("; ");
}

/** Only the author of the list knows whether such a word is a name or an empty value. */
function formatDoubtfulNames(words: readonly string[], rows: number): string {
  const are = words.length === 1 ? "is taken for a name" : "are taken for names";
  const list = words.map((word) => `"${word}"`).join(", ");
  return `${list} ${are} in ${formatCount(rows, "row")}, and no name in the group is replaced by it: does it stand for no value?`;
}

/** A spreadsheet that takes a number for one to calculate with drops its plus. */
function formatPlusAdvice(numbers: number, whose: string): string | undefined {
  if (numbers === 0) return undefined;
  const begin = numbers === 1 ? "begins" : "begin";
  return `${formatCount(numbers, "phone number")} ${begin} with ${whose} calling code, without its plus: --trust-calling-code adds it`;
}

/** A spreadsheet that takes a number for one to calculate with drops its zero; a number of one's own town has none. */
function formatZeroAdvice(contacts: ContactInput): string | undefined {
  const { count, first } = contacts.getRemarks("withoutZero");
  if (first === undefined) return undefined;
  const have = count === 1 ? "has a phone number" : "have phone numbers";
  return `${formatCount(count, "row")} ${have} with neither + nor 0 before the area code: "${first.written}" is taken for ${first.taken}; a local number needs its area code`;
}

/** The chosen reading may be another person's number. */
function formatAmbiguousAdvice(contacts: ContactInput): string | undefined {
  const { count, first } = contacts.getRemarks("ambiguous");
  if (first === undefined) return undefined;
  const have = count === 1 ? "has a phone number" : "have phone numbers";
  return `${formatCount(count, "row")} ${have} that can be read with and without a plus: "${first.written}" was read as ${first.taken}, not as ${first.instead}`;
}

function formatSkippedDevices(contacts: ContactInput): string | undefined {
  const { count, first } = contacts.getRemarks("otherDevice");
  if (first === undefined) return undefined;
  return `skipped fax and pager numbers in ${formatCount(count, "row")}: "${first}"`;
}

/** Most lists are written at home: what that takes is worth more than each row's complaint. */
function formatCountryAdvice(numbers: number): string | undefined {
  if (numbers === 0) return undefined;
  const have = numbers === 1 ? "has" : "have";
  const them = numbers === 1 ? "it as a German one" : "them as German ones";
  return `${formatCount(numbers, "phone number")} ${have} no country code: --country DE reads ${them}`;
}

/** Not its department, or whether it is a school: address books have columns of these, too. */
const ofCompany =
  /\b(?:typ|type|title|titel|department|abteilung|position|phonetic|yomi|street|stra(?:ß|ss)e|e-?mail|tel)/i;
const company = /^(?:firm[ae]|firmenname|company|organi[sz]ation|unternehmen|betrieb|institution)\b/i;

/** Suggests a mapping for companies and for contacts with only a last name. */
function formatFirstNameAdvice({ names, columns, withoutFirstName }: ContactInput): string | undefined {
  const rows = withoutFirstName();
  const own = columns.columns.first_name.map((index) => names[index]);
  if (rows === 0 || own.length === 0 || columns.pairs.size > 0 || columns.standIns.length > 0)
    return undefined;
  const alternatives = [
    ...columns.columns.last_name.map((index) => names[index]),
    ...columns.unread.filter((name) => company.test(name) && !ofCompany.test(name)),
  ];
  if (alternatives.length === 0) return undefined;
  const have = rows === 1 ? "has" : "have";
  const map = `first_name=${own.join("|")}||${alternatives.join("|")}`;
  return `${formatCount(rows, "row")} ${have} no first name, which a contact requires; to use ${alternatives.map((name) => `"${name}"`).join(", otherwise ")} instead, use --map ${quoteWord(map)}`;
}
