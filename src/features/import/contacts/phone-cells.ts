import type { SourceRow } from "../sources/types.js";
import { asText, cellIn, textsIn } from "./cells.js";
import { phrases } from "./earlier-error.js";
import type { ColumnPlan } from "./headers.js";
import type { PhoneColumns } from "./phone-columns.js";
import type { ColumnWriting, PhoneContext } from "./phone-context.js";
import { isOtherDevice } from "./phone-labels.js";
import { asPhoneText, cleanCell } from "./phone-text.js";
import type { PhoneReader } from "./phones.js";

export interface PhoneColumnFacts {
  writingOf(names: readonly string[], index: number): ColumnWriting;
  isCountryColumn(names: readonly string[], index: number): boolean;
}

export interface PhoneReading extends Pick<ColumnPlan, "columns" | "pairs" | "phoneColumns"> {
  phones: PhoneReader;
  facts?: PhoneColumnFacts | undefined;
}

export interface PhoneCell {
  index: number;
  text: string;
  /** Type of the number, from a separate column: `Mobile`, `Work Fax`. */
  label: string;
  context: PhoneContext;
}

export function phoneCellsOf(row: SourceRow, reading: PhoneReading): PhoneCell[] {
  const { columns, pairs, phoneColumns, facts } = reading;
  return columns.phone_numbers.flatMap((index) => {
    if (row.unreadable?.has(index)) return [];
    const value = cellIn(row, index, "phone_numbers", pairs);
    const column = facts?.writingOf(row.names, index);
    const more = phoneColumns.get(index);
    if (more === undefined)
      return textsIn([value]).map((text) => ({ index, text, label: "", context: { column } }));
    const context = { column, ...countryOf(row, more, reading) };
    const label = more.label === undefined ? "" : joined(row.values[more.label]);
    const texts = label === "" ? textsIn([value]) : [joined(value)];
    const areaCode = more.areaCode === undefined ? "" : asText(row.values[more.areaCode]);
    return texts.map((text) => ({ index, text: withAreaCode(areaCode, text), label, context }));
  });
}

/** Skips numbers whose label describes a fax machine or a pager. */
export function readPhoneCell({ text, label, context }: PhoneCell, phones: PhoneReader) {
  const kept = removeOtherDevices(text, label);
  if ("reason" in kept) return kept;
  const result = phones.read(kept.text, context);
  return "reason" in result || kept.otherDevice === undefined
    ? result
    : { ...result, otherDevice: kept.otherDevice };
}

function countryOf(
  { names, values }: SourceRow,
  { callingCode, countries }: PhoneColumns,
  { phones, facts }: Pick<PhoneReading, "phones" | "facts">,
): Pick<PhoneContext, "plan" | "unknownCountry"> {
  const read = (index: number) => ({ index, plan: phones.countryOf(asText(values[index])) });
  const cell = (index: number) => `"${asText(values[index]).trim()}" in "${names[index]}"`;
  const refuse = (reason: string) => ({
    unknownCountry: `${reason}: write the number with + and the calling code`,
  });
  const unknown = (index: number) => refuse(`${cell(index)} ${phrases.notKnownCountry}`);
  if (callingCode !== undefined) {
    const { plan } = read(callingCode);
    if (plan === undefined) return unknown(callingCode);
    if (plan !== null) return { plan };
  }
  const used = countries.filter((index) => facts?.isCountryColumn(names, index) ?? true);
  const filled = used.map(read).filter(({ plan }) => plan !== null);
  const [first, ...moreCountries] = filled;
  if (first === undefined || first.plan === null) return {};
  const { plan } = first;
  if (plan === undefined) return unknown(first.index);
  const differing = moreCountries.find((candidate) => candidate.plan?.callingCode !== plan.callingCode);
  if (differing === undefined) return { plan };
  if (differing.plan === undefined) return unknown(differing.index);
  return refuse(`${cell(differing.index)} contradicts ${cell(first.index)}`);
}

function joined(value: unknown): string {
  return textsIn([value]).join(" ::: ");
}

function withAreaCode(areaCode: string, cell: string): string {
  const code = asPhoneText(cleanCell(areaCode));
  if (code === "") return cell;
  // Words and punctuation can precede a number, as in `Tel. 1234567` and `/ 1234567`.
  const complete = (entry: string) =>
    asPhoneText(entry.trim()).replace(/^([^\d+]*)(?=[1-9])/, (before) => `${before}${code} `);
  return cleanCell(cell)
    .split(/(:::|[;|])/)
    .map((part, index) => (index % 2 === 0 ? complete(part) : part))
    .join(" ");
}

/** Possible separators between labels. The phone cell has the same separator between its numbers. */
const labelSeparators = [":::", ";", "|", "\n", ","];

function removeOtherDevices(
  text: string,
  label: string,
): { text: string; otherDevice?: string } | { value: string; reason: string } {
  const separator = labelSeparators.find((candidate) => label.includes(candidate)) ?? ":::";
  const entries = (cell: string) => cell.split(separator).map((entry) => entry.trim());
  const labels = entries(label);
  if (text.trim() === "" || !labels.some(isOtherDevice)) return { text };
  const numbers = entries(text);
  const at = labels.length === numbers.length ? labels.findIndex(isOtherDevice) : undefined;
  const [number, type] = at === undefined ? [text, label] : [numbers[at] ?? "", labels[at] ?? ""];
  const otherDevice = `${number.trim()} (${type.trim()})`;
  if (labels.every(isOtherDevice)) return { text: "", otherDevice };
  if (numbers.length !== labels.length)
    return { value: text, reason: `has more or fewer phone numbers than labels (${label.trim()})` };
  const kept = numbers.filter((_, index) => !isOtherDevice(labels[index] ?? ""));
  return { text: kept.join(" ::: "), otherDevice };
}
