/**
 * Computes the fingerprints of resources that must not exist when a step is sent, to compare them with the
 * fingerprints of listed resources. A fingerprint covers all fields of a create, only the name, or one value
 * by which the step would match another resource.
 */
import type { Fields } from "../fields.js";
import { recordOf } from "../values.js";
import { createdFingerprint, nameFieldOf, resourceOf, unlistedOf } from "./canonical.js";
import type { PlanStep } from "./format.js";
import { plainFields } from "./references.js";

type Absent = NonNullable<NonNullable<PlanStep["if"]>["absent"]>;

/** A condition that limits how many matching resources may exist. */
interface Absence {
  /**
   * The fields to compare, and how they are compared, as text. Fingerprints of the same shape can be
   * compared.
   */
  shape: string;
  print: string;
  /** Shape and fingerprint without the fields that lists omit. Undefined if lists omit none. */
  asListed?: { shape: string; print: string } | undefined;
  /** The value that must not exist, for messages. Undefined if the condition concerns the whole resource. */
  value?: string;
}

/** Prefix of a shape for which one common entry of two lists is enough for a match. */
const sharing = "~";

/** Returns a step's conditions that certain resources must not exist. */
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
 * Returns one condition for each list entry: no resource may have both this entry and all of the strings.
 * Lists are sufficient to check these conditions, because they contain every value by which resources are
 * matched.
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

/** Returns whether a row has any values that could match a resource. */
export function hasValues(identity: Fields): boolean {
  return Object.keys(identity).length > 0;
}
