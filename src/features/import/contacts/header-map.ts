import { BulkError } from "../../../write/errors.js";
import { type ContactField, contactFields, type HeaderMap, type Pair } from "./headers.js";

/**
 * Parses mappings such as `first_name=Vorname||Nachname||Firma,phone_numbers=Telefon|Mobil` or
 * `last_name+first_name=Name, Vorname`. A field has the values of all columns separated by `|`. A column after `||`
 * provides the first name if the columns before it are empty.
 * @throws BulkError for an unknown field or a field that is mapped twice
 */
export function parseHeaderMap(...texts: readonly string[]): HeaderMap {
  const map: Mappings = {};
  const pairs: Pair[] = [];
  for (const text of texts) {
    const pair = pairOf(text);
    if (pair === undefined) readMappings(text, map);
    else pairs.push(pair);
  }
  const inPairs = pairs.flatMap(({ fields }) => fields);
  const twice = contactFields.find(
    (field) =>
      inPairs.filter((pairField) => pairField === field).length + (map[field] === undefined ? 0 : 1) > 1,
  );
  if (twice !== undefined) throw new BulkError("invalid_map", `--map: ${twice} is mapped twice`);
  return pairs.length === 0 ? map : { ...map, pairs };
}

function pairOf(text: string): Pair | undefined {
  const at = text.indexOf("=");
  const left = text.slice(0, Math.max(0, at));
  if (!left.includes("+")) return undefined;
  const fields = left.split("+").map((part) => contactFields.find((name) => name === part.trim()));
  const known = fields.filter((field) => field !== undefined);
  if (known.length !== fields.length || new Set(known).size !== known.length) {
    throw new BulkError(
      "invalid_map",
      `invalid --map "${left.trim()}": expected contact fields separated by +`,
      `write FIELD+FIELD=COLUMN; the fields are ${contactFields.join(", ")}`,
    );
  }
  return { fields: known, column: text.slice(at + 1).trim() };
}

type Mappings = Partial<Record<ContactField, string[]>> & { standIns?: string[] };

function readMappings(text: string, map: Mappings): void {
  const own: Partial<Record<ContactField, string[]>> = {};
  let current: ContactField | undefined;
  for (const part of text.split(",")) {
    const at = part.indexOf("=");
    const field = at < 0 ? undefined : part.slice(0, at).trim();
    const known = contactFields.find((name) => name === field);
    if (known !== undefined) {
      if (map[known] ?? own[known]) throw new BulkError("invalid_map", `--map: ${known} is mapped twice`);
      current = known;
      own[known] = [part.slice(at + 1)];
    } else if (current !== undefined && !/^\w+$/.test(field ?? "")) {
      // A column name can contain commas, so a part without `FIELD=` continues the previous column name.
      own[current] = [`${own[current]?.[0] ?? ""},${part}`];
    } else {
      throw new BulkError(
        "invalid_map",
        `invalid --map "${part.trim()}": expected a contact field before =`,
        `write FIELD=COLUMN, or FIELD=COLUMN|COLUMN to use both columns; the fields are ${contactFields.join(", ")}`,
      );
    }
  }
  for (const field of contactFields) {
    const value = own[field]?.[0];
    if (value === undefined) continue;
    const [first = "", ...fallbacks] = value.split("||");
    if (fallbacks.length > 0 && field !== "first_name")
      throw new BulkError(
        "invalid_map",
        `--map: ${field}=${value} contains ||, which is only supported for first_name`,
        "to read the field from several columns, separate them with |",
      );
    if (fallbacks.some((fallback) => fallback.includes("|")))
      throw new BulkError(
        "invalid_map",
        `--map: ${field}=${value} contains | after ||`,
        `to use the first column that is not empty, write ${field}=${[first, ...fallbacks.flatMap(columnsIn)].join("||")}`,
      );
    map[field] = columnsIn(first);
    if (fallbacks.length > 0) map.standIns = fallbacks.flatMap(columnsIn);
  }
}

function columnsIn(text: string): string[] {
  return text
    .split("|")
    .map((column) => column.trim())
    .filter((column) => column !== "");
}
