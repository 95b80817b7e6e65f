// Finds rows that are not contacts: headings, totals, notes and page numbers. Recognizes such rows by their
// lack of contact data, because no word list covers every language.
import { perShape } from "../sources/shapes.js";
import { errorColumn } from "../sources/surplus.js";
import type { Source, SourceRow } from "../sources/types.js";
import { phrases, readEarlierError } from "./earlier-error.js";
import { type ColumnPlan, positionsOf } from "./headers.js";
import { isAddress } from "./is-address.js";

type Headings = ReadonlyMap<number, string>;

export interface HeadingWatch {
  see(row: SourceRow): void;
  /**
   * Returns whether any row contains a phone number or email and another value. If no row does, a row with
   * only a name is a contact.
   */
  hasAddresses(): boolean;
  headings(source: Source): Promise<Headings>;
}

interface Filled {
  index: number;
  text: string;
}

const single = `${phrases.notContact} its only filled cell is neither a phone number nor an email`;
const labeled = `${phrases.notContact} it contains only a label and figures, such as totals`;
const tooShort = (number: string) => `${phrases.notContact} "${number}" is too short for a phone number`;

/** @param keyColumn column with the user's own keys; every row with a key is a contact */
export function watchHeadings(
  columnsOf: (names: readonly string[]) => ColumnPlan,
  keyColumn: string | undefined,
): HeadingWatch {
  let reachable = 0;
  const hasAddresses = () => reachable > 0;
  const singles = new Map<number, Filled>();
  /** Rows with one label followed by numbers. Such a row is a total or a contact. */
  const labels = new Map<number, readonly Filled[]>();
  /** First number in a phone column, by row number. Contains only rows in `labels`. */
  const shortNumbers = new Map<number, string>();
  /** Rows of a rejects file whose error says that they are not contacts. */
  const rejected = new Set<number>();
  const positionsIn = perShape((names) => {
    const { first_name, last_name, phone_numbers, emails } = columnsOf(names).columns;
    const keys = keyColumn === undefined ? [] : positionsOf(names, keyColumn);
    const error = names.indexOf(errorColumn);
    return { names: [...first_name, ...last_name], addresses: [...phone_numbers, ...emails], keys, error };
  });
  const hasTwoNames = (names: readonly string[]) => {
    const { first_name, last_name } = columnsOf(names).columns;
    return last_name.some((index) => !first_name.includes(index));
  };
  return {
    see({ number, names, values, problem, unreadable }) {
      if (problem !== undefined) return;
      const positions = positionsIn(names);
      const address = positions.addresses.find(
        (index) => unreadable?.has(index) === true || mayBeAddress(textOf(values[index])),
      );
      if (address !== undefined) {
        const isOther = (index: number) => index !== address && index !== positions.error;
        if (values.some((value, index) => isOther(index) && textOf(value) !== "")) reachable += 1;
        return;
      }
      const filled = filledIn(values).filter(({ index }) => index !== positions.error);
      const [first, ...moreCells] = filled;
      if (first === undefined) return;
      const isReachable = filled.some(({ text }) => isAddress(text));
      if (isReachable && moreCells.length > 0) reachable += 1;
      if (isReachable || filled.some(({ index }) => positions.keys.includes(index))) return;
      if (readEarlierError({ names, values }).isNotContact) rejected.add(number);
      if (moreCells.length === 0) singles.set(number, first);
      else if (moreCells.every(({ text }) => isFigure(text))) {
        // Ignore numbers in name and phone columns: they don't show that the row is a contact.
        const known = [...positions.names, ...positions.addresses];
        const short = moreCells.find(({ index }) => positions.addresses.includes(index));
        if (short !== undefined) shortNumbers.set(number, short.text);
        labels.set(
          number,
          moreCells.filter(({ index }) => !known.includes(index)),
        );
      }
    },
    hasAddresses,
    async headings(source) {
      const found = new Set([...rejected].filter((number) => singles.has(number) || labels.has(number)));
      if (hasAddresses()) {
        for (const number of await unknownIn(source, singles)) found.add(number);
        if (labels.size > 0)
          for (const number of await totalsIn(source, labels, hasTwoNames)) found.add(number);
      }
      const reasonOf = (number: number) => {
        const short = shortNumbers.get(number);
        return labels.has(number) ? (short === undefined ? labeled : tooShort(short)) : single;
      };
      return new Map([...found].map((number) => [number, reasonOf(number)]));
    },
  };
}

/**
 * Returns the rows whose only filled cell is not a known name. A name is known if the same column contains it
 * in a row with more filled cells.
 */
async function unknownIn(source: Source, singles: ReadonlyMap<number, Filled>): Promise<number[]> {
  const textIn = (index: number, text: string) => `${index}:${text.toLowerCase()}`;
  const unknown = new Set([...singles.values()].map(({ index, text }) => textIn(index, text)));
  if (singles.size > 0)
    for await (const { number, values } of source.rows())
      if (!singles.has(number))
        for (const [index, value] of values.entries()) unknown.delete(textIn(index, textOf(value)));
  return [...singles].flatMap(([number, { index, text }]) =>
    unknown.has(textIn(index, text)) ? [number] : [],
  );
}

/**
 * Returns the rows whose numbers are totals: column sums, counts of the rows above, or the only values in
 * their column.
 */
async function totalsIn(
  source: Source,
  labels: ReadonlyMap<number, readonly Filled[]>,
  hasTwoNames: (names: readonly string[]) => boolean,
): Promise<number[]> {
  const forms = new Map<number, string>();
  const pending = new Map<number, readonly Filled[]>();
  // Sums of all rows above, and of the rows since the last total.
  const [all, part] = [createSums(), createSums()];
  let isStrict = true;
  for await (const { number, names, values } of source.rows()) {
    isStrict = !hasTwoNames(names);
    const figures = labels.get(number);
    const unexplained = figures?.filter(
      ({ index, text }) => !all.isSum(index, text) && !part.isSum(index, text),
    );
    if (unexplained !== undefined) pending.set(number, unexplained);
    if (unexplained?.length === 0) part.clear();
    if (figures !== undefined) continue;
    for (const { index, text } of filledIn(values)) {
      const form = formOf(text);
      forms.set(index, (forms.get(index) ?? form) === form ? form : "");
    }
    for (const sums of [all, part]) sums.add(values);
  }
  const isPersons = ({ index, text }: Filled) =>
    forms.has(index) && (isStrict || forms.get(index) === formOf(text));
  return [...pending].flatMap(([number, figures]) => (figures.some(isPersons) ? [] : [number]));
}

/** Returns the format of a number or date: `01.02.1980` and `31.12.1999` have the same format. */
function formOf(text: string): string {
  return text.replace(/\d/g, "0");
}

function createSums() {
  const sums = new Map<number, number>();
  let rows = 0;
  return {
    add(values: readonly unknown[]): void {
      rows += 1;
      for (const [index, value] of values.entries()) {
        const amount = amountIn(textOf(value));
        if (amount !== undefined) sums.set(index, (sums.get(index) ?? 0) + amount);
      }
    },
    isSum(index: number, text: string): boolean {
      const amount = amountIn(text);
      if (amount === undefined) return false;
      return amount === rows || Math.abs(amount - (sums.get(index) ?? Number.NaN)) < 0.01;
    },
    clear(): void {
      sums.clear();
      rows = 0;
    },
  };
}

function filledIn(values: readonly unknown[]): Filled[] {
  return values.flatMap((value, index) => {
    const text = textOf(value);
    return /[\p{L}\p{N}]/u.test(text) ? [{ index, text }] : [];
  });
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : String(value).trim();
}

/** Returns whether a cell in a phone or email column resembles a phone number or email, valid or not. */
function mayBeAddress(text: string): boolean {
  return text.includes("@") || text.replace(/\D/g, "").length >= 5;
}

/** Returns whether a string consists of digits and at most one word: `30`, `1.234,50 €`, `CHF 12.50`, `12.11.2026`. */
function isFigure(text: string): boolean {
  const words = text.match(/\p{L}+/gu) ?? [];
  return words.length <= 1 && (/^[^\p{L}\d]*\d/u.test(text) || /^\p{Lu}{1,3}\s?-?\d/u.test(text));
}

/** Returns the number in a text: 1234.5 for `1.234,50 €`, 12345 for `12,345`. */
function amountIn(text: string): number | undefined {
  const bare = text.replace(/[^\d.,-]/g, "");
  const [, sign = "", digits = ""] = /^(-?)(\d[\d.,]*)$/.exec(bare) ?? [];
  const [, whole = digits, fraction = ""] = /^(.*)[.,](\d{1,2}|\d{4,})$/.exec(digits) ?? [];
  return digits === "" ? undefined : Number(`${sign}${whole.replace(/[.,]/g, "")}.${fraction}0`);
}
