export interface PhoneColumns {
  areaCode?: number;
  /** Column with calling codes or country codes. */
  callingCode?: number;
  /** Columns with countries. All countries in a row must have the same calling code. */
  countries: readonly number[];
  label?: number;
}

const phoneWord = "telefon|telephone|tel|phone|rufnummer|mobil|mobile|handy|cell|festnetz|fon";
const ofWhat =
  "privat|private|priv|home|geschaeftlich|geschaeft|business|work|firma|firmen|buero|office|haupt|main|primary|other|" +
  "kontakt|contact|kunden|number|nummer|adresse|address|anschrift|postal|mailing|rechnungs|liefer|wohn|herkunfts";
const anyOf = `(?:${ofWhat}|${phoneWord}|\\d)*`;
const areaCodeHeader = new RegExp(`^${anyOf}(?:orts)?(?:vorwahl|vorwahlen|areacode)${anyOf}$`);
const codeWord = "vorwahl|vorwahlnummer|code|prefix|kennzahl|kennziffer|kennung";
const callingCodeHeader = new RegExp(
  `^${anyOf}(?:(?:laender|landes|auslands|internationale?|internat|int|country|intl|isd)(?:${phoneWord})?` +
    `(?:calling|dial|dialing|dialling)?(?:${codeWord})|(?:calling|dial|dialing|dialling|phone)(?:code|prefix)|` +
    `(?:vorwahl|prefix)(?:land|international|country)|indicatif(?:pays|international|telephonique)?)${anyOf}$`,
);
const countryHeader = new RegExp(
  `^${anyOf}(?:land|landregion|country|countryregion|countryorregion|staat|nation|iso|laenderkuerzel|landeskuerzel|` +
    `laenderkennzeichen|laendername)(?:iso|code|kuerzel|name|\\d)*${anyOf}$`,
);
const labelWord = "label|type|typ|art|kind|sorte|bezeichnung|bez|kategorie|category|beschreibung|description";
const labelHeader = new RegExp(`^${anyOf}(?:of|der|des)?(?:${labelWord})(?:of|der|des)?${anyOf}$`);

/**
 * @param headers column names, normalized by `plainHeader`
 * @param isTaken whether a field is already read from a column
 */
export function planPhoneColumns(
  headers: readonly string[],
  phones: readonly number[],
  isTaken: (index: number) => boolean,
): ReadonlyMap<number, PhoneColumns> {
  const free = (pattern: RegExp) =>
    headers.flatMap((header, index) => (!isTaken(index) && pattern.test(header) ? [index] : []));
  const codes = free(callingCodeHeader);
  const countries = free(countryHeader).filter((index) => !codes.includes(index));
  const areaCodes = free(areaCodeHeader);
  const isBetween = (index: number) => codes.includes(index) || countries.includes(index);
  const labels = assign(headers, phones, free(labelHeader));
  const codeOf = assign(headers, phones, codes);
  return new Map(
    [...phones].flatMap((phone) => {
      // An area-code column comes before its phone column.
      let before = phone - 1;
      while (isBetween(before)) before -= 1;
      const columns: PhoneColumns = {
        countries: countriesOf(headers, phone, countries),
        ...optional(
          "areaCode",
          areaCodes.find((index) => index === before),
        ),
        ...optional("callingCode", codeOf.get(phone) ?? (codes.length === 1 ? codes[0] : undefined)),
        ...optional("label", labels.get(phone)),
      };
      return positionsIn(columns).length === 0 ? [] : [[phone, columns] as const];
    }),
  );
}

function optional<K extends string>(key: K, value: number | undefined): Partial<Record<K, number>> {
  const entry: Partial<Record<K, number>> = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}

export function positionsIn(columns: PhoneColumns): number[] {
  const { areaCode, callingCode, countries, label } = columns;
  return [areaCode, callingCode, ...countries, label].filter((index) => index !== undefined);
}

const ofEveryColumn = new RegExp(
  `${phoneWord}|${labelWord}|${codeWord}|value|wert|number|nummer|nr|countryregion|country|laender|landes|land|calling`,
  "g",
);

/**
 * Returns the part of a header that identifies the phone column to which it belongs: `1` in `phone1label` and
 * `phone1value`, `home` in `homecountry` and `homephone`.
 */
function stemOf(header: string): string {
  return header.replace(ofEveryColumn, "");
}

/**
 * Assigns each column to a phone column: the phone column with a matching name, or else the one directly
 * before the column, or else the one directly after it.
 */
function assign(
  headers: readonly string[],
  phones: readonly number[],
  columns: readonly number[],
): ReadonlyMap<number, number> {
  const given = new Map<number, number>();
  const isFree = (phone: number) => phones.includes(phone) && !given.has(phone);
  for (const column of columns) {
    const stem = stemOf(headers[column] ?? "");
    const named = phones.filter((phone) => stem !== "" && stemOf(headers[phone] ?? "") === stem);
    const phone = [...named, column - 1, column + 1].find(isFree);
    if (phone !== undefined) given.set(phone, column);
  }
  return given;
}

/**
 * Returns the country columns whose name matches the phone column. If no name matches, returns all country
 * columns.
 */
function countriesOf(
  headers: readonly string[],
  phone: number,
  countries: readonly number[],
): readonly number[] {
  const stem = stemOf(headers[phone] ?? "");
  const named = countries.filter((index) => stem !== "" && stemOf(headers[index] ?? "") === stem);
  return named.length > 0 ? named : countries;
}
