/**
 * A step can describe resources that a list, such as the contacts of a group, must not contain. The step fails
 * if a resource in the list has one of their fingerprints. A fingerprint covers all fields, only the name, or
 * one value by which a row would match the resource.
 */
import type { Fields } from "../fields.js";
import { recordOf } from "../values.js";
import { createdFingerprint, nameFieldOf, resourceOf, unlistedOf } from "./canonical.js";
import type { PlanStep } from "./format.js";
import { plainFields } from "./references.js";

type Absent = NonNullable<NonNullable<PlanStep["if"]>["absent"]>;

interface Absence {
  /** Names of the fields that the fingerprint covers. Only fingerprints of the same shape can be compared. */
  shape: string;
  print: string;
  /** Fingerprint without the fields that lists omit. Undefined if lists contain all fields. */
  asListed?: { shape: string; print: string } | undefined;
  /** The value that must not exist, for messages. Undefined for a whole resource or a name. */
  value?: string;
}

/** Prefix of a shape whose first field can be a list. Two resources match if their lists share an entry. */
const sharing = "~";

export function absencesOf(step: PlanStep, absent: Absent): Absence[] {
  const resource = resourceOf(step.op);
  if (absent.sharing !== undefined) return sharedAbsences(resource, absent.sharing);
  const isNamed = absent.name !== undefined;
  const nameField = nameFieldOf(resource);
  const fields = isNamed ? [nameField] : Object.keys(plainFields(step.body ?? {})).sort();
  const value = isNamed ? { [nameField]: absent.name } : step.body;
  const unlisted = unlistedOf(resource);
  const listed = fields.filter((field) => !unlisted.includes(field));
  return [
    {
      shape: fields.join(","),
      print: absent.fingerprint ?? createdFingerprint(resource, fields, value),
      asListed:
        listed.length === fields.length
          ? undefined
          : { shape: listed.join(","), print: createdFingerprint(resource, listed, value) },
    },
  ];
}

/**
 * Returns a condition for each list entry in `values`: no resource may have this entry and all strings in
 * `values`. The API's lists contain all values that can match, so reading them is sufficient.
 */
export function sharedAbsences(resource: string, values: Fields): Absence[] {
  const fields = Object.keys(values).sort();
  const lists = fields.filter((field) => Array.isArray(values[field]));
  const texts = fields.filter((field) => !lists.includes(field));
  return (lists.length === 0 ? [[]] : lists.map((list) => [list])).flatMap((list) => {
    const shape = `${sharing}${[...list, ...texts].join(",")}`;
    return entriesIn(resource, shape, values).map(({ print, value }) => {
      return { shape, print, value };
    });
  });
}

function entriesIn(resource: string, shape: string, record: Fields): { print: string; value: string }[] {
  const fields = shape.slice(sharing.length).split(",");
  const [first = ""] = fields;
  const { [first]: whole } = record;
  const entries: readonly unknown[] = Array.isArray(whole) ? [...new Set(whole)] : [whole];
  return entries.map((entry) => {
    const print = createdFingerprint(resource, fields, { ...record, [first]: [entry] });
    return { print, value: `${first} ${JSON.stringify(entry)}` };
  });
}

export function printsOf(resource: string, shape: string, value: unknown): string[] {
  if (!shape.startsWith(sharing)) return [createdFingerprint(resource, shape.split(","), value)];
  return entriesIn(resource, shape, recordOf(value)).map(({ print }) => print);
}

export function hasValues(identity: Fields): boolean {
  return Object.keys(identity).length > 0;
}
