import { fingerprintOf, normalizedText } from "../../../write/fields.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import type { RunType } from "../../../write/journal/identity.js";

export interface ItemType extends Pick<ImportAdapter, "fields" | "unlisted"> {
  /** Name of the type, as stored in the journal of a run. */
  name: Exclude<RunType, "contacts" | "provisioning">;
  /**
   * Field that identifies an item. A row and an item match if the values are equal, ignoring case and spaces.
   */
  key: string;
}

export function itemAdapter(type: ItemType): ImportAdapter {
  const { name, key, fields: names, unlisted } = type;
  const exact = (value: unknown) => `=${String(value ?? "").trim()}`;
  const alike = (value: unknown) => `~${normalizedText(String(value ?? ""))}`;
  return {
    type: name,
    fields: names,
    unlisted,
    keysOf: (fields) => {
      const keys = [exact(fields[key]), alike(fields[key])];
      return { indexed: keys, lookup: keys.map((lookupKey) => [lookupKey]), ofRow: keys.slice(0, 1) };
    },
    mayBeNothing: () => false,
    identity: (fields) => ({ [key]: fields[key] }),
    nameKey: (fields) => alike(fields[key]),
    named: (fields) => ({ [key]: fields[key] }),
    shown: (fields) => ({ [key]: fields[key] }),
    findDifferingName: () => undefined,
    /**
     * Skips a row that repeats an earlier row. Rejects the row if its content is different, so that no content
     * is lost silently.
     */
    repeated(row, fields, { number: of, fields: earlier }) {
      const { detail } = row;
      if (earlier["fingerprint"] === fingerprintOf(names, fields))
        return { outcome: "duplicate", detail: { of, ...detail } };
      const { file } = earlier;
      const earlierSource = typeof file === "string" ? file : `row ${of}`;
      return {
        outcome: "invalid",
        detail: {
          field: key,
          value: String(fields[key]),
          reason: `is also the ${key} of ${earlierSource}, which has different content`,
          of,
          ...detail,
          ...(detail ? {} : { record: fields }),
        },
      };
    },
    kept: ({ detail }, fields) => ({ fingerprint: fingerprintOf(names, fields), file: detail?.["file"] }),
  };
}
