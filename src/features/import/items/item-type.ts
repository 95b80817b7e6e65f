import { fingerprintOf, normalizedText } from "../../../write/fields.js";
import type { ImportAdapter } from "../../../write/group/adapter.js";
import type { RunType } from "../../../write/journal/identity.js";

/** The differences between types of items: glossary entries, pronunciation rules, knowledge. */
export interface ItemType extends Pick<ImportAdapter, "fields" | "unlisted"> {
  /** Name by which a run finds its type. */
  name: Exclude<RunType, "contacts" | "provisioning">;
  /** The field by which a row matches an item of the group. */
  key: string;
}

/** The adapter of a type of items, for its import and its undo. */
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
    named: (fields) => ({ [key]: fields[key] }),
    shown: (fields) => ({ [key]: fields[key] }),
    findDifferingName: () => undefined,
    /**
     * An identical row is a duplicate; a different one is rejected, because its content would be lost
     * silently.
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
          reason: `is also the ${key} of ${earlierSource}, which has other content`,
          of,
          ...detail,
          ...(detail ? {} : { record: fields }),
        },
      };
    },
    kept: ({ detail }, fields) => ({ fingerprint: fingerprintOf(names, fields), file: detail?.["file"] }),
  };
}
