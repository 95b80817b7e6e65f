import { perShape } from "../sources/shapes.js";
import type { SourceRow } from "../sources/types.js";
import { asText } from "./cells.js";
import { readEarlierError } from "./earlier-error.js";
import type { ColumnPlan } from "./headers.js";
import { type PhoneColumnFacts, phoneCellsOf } from "./phone-cells.js";
import type { ColumnWriting } from "./phone-context.js";
import type { PhoneReader } from "./phones.js";

export interface PhoneFacts extends PhoneColumnFacts {
  /**
   * Records how the phone numbers and countries in a row are written. Must be called for every row before the
   * first phone number is read.
   */
  observe(row: SourceRow): void;
  /**
   * Returns the country columns that are not used because most of their values are unknown, each with its
   * first unknown value.
   */
  ignored(): { column: string; value: string }[];
}

interface CountryColumn {
  column: string;
  known: number;
  unknown: number;
  firstUnknown: string;
}

/** @param isTable whether columns have a fixed position; JSON fields are identified by name */
export function createPhoneFacts(
  phones: PhoneReader,
  isTable: boolean,
  columnsOf: (names: readonly string[]) => ColumnPlan,
): PhoneFacts {
  const writings = new Map<string, ColumnWriting>();
  const countries = new Map<string, CountryColumn>();
  const keyOf = (names: readonly string[], index: number) => `${isTable ? index : ""}:${names[index]}`;
  const entryOf = <T>(map: Map<string, T>, key: string, create: () => T): T => {
    const entry = map.get(key) ?? create();
    map.set(key, entry);
    return entry;
  };
  const writingOf = (names: readonly string[], index: number) =>
    entryOf(writings, keyOf(names, index), () => ({
      lacksPlus: false,
      lacksForeignPlus: false,
      lacksZero: false,
    }));
  const planOf = perShape((names) => {
    const plan = columnsOf(names);
    const ofCountries = [...plan.phoneColumns.values()].flatMap((columns) => columns.countries);
    return { reading: { ...plan, phones }, countryColumns: [...new Set(ofCountries)] };
  });
  const isMostlyKnown = ({ known, unknown }: CountryColumn) => known >= unknown;
  return {
    writingOf,
    observe(row) {
      const { reading, countryColumns } = planOf(row.names);
      const earlier = readEarlierError(row);
      for (const index of countryColumns) {
        const value = asText(row.values[index]).trim();
        const country = phones.countryOf(value);
        if (country === null) continue;
        const column = entryOf(countries, keyOf(row.names, index), () => ({
          ...{ column: row.names[index] ?? "", known: 0, unknown: 0, firstUnknown: value },
        }));
        if (country !== undefined) column.known += 1;
        else if (column.unknown++ === 0) column.firstUnknown = value;
        if (earlier.hasUnknownCountry(column.column)) column.known = Number.POSITIVE_INFINITY;
      }
      for (const { index, text, context } of phoneCellsOf(row, reading)) {
        const writing = writingOf(row.names, index);
        writing.lacksPlus ||= earlier.lacksPlus;
        writing.lacksZero ||= earlier.lacksZero;
        if (context.unknownCountry === undefined) phones.observe(text, writing, context.plan);
      }
    },
    isCountryColumn: (names, index) => {
      const column = countries.get(keyOf(names, index));
      return column === undefined || isMostlyKnown(column);
    },
    ignored: () =>
      [...countries.values()]
        .filter((column) => !isMostlyKnown(column))
        .map(({ column, firstUnknown }) => ({ column, value: firstUnknown })),
  };
}
