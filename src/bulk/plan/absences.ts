/**
 * Conditions of a step about what must not be there yet, as prints that things of a list are compared with: of all
 * that the step creates, of its name, or of each value by which it would be taken for another. Pure.
 */
import type { Fields } from "../fields.js";
import { recordOf } from "../values.js";
import { createdFingerprint, nameFieldOf, resourceOf, unlistedOf } from "./canonical.js";
import type { PlanStep } from "./format.js";
import { plainFields } from "./references.js";

type Absent = NonNullable<NonNullable<PlanStep["if"]>["absent"]>;

/** What a thing of the scope has to be like to count. */
interface Absence {
  /** The fields that are compared, and how: what a print is made from, of a step and of a thing. */
  shape: string;
  print: string;
  /** The same without what lists leave out, where they leave out any of it. */
  asListed?: { shape: string; print: string } | undefined;
  /** The value that is not to be there, for a person; undefined where that is all of it. */
  value?: string;
}

/** A list has to have one of the entries. */
const sharing = "~";

/** The prints of what is not to be there for a step. */
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

/** One for each entry of the lists, with all of the texts; lists show whatever a thing is known by. */
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

/** The prints that a thing has in a shape. */
export function printsOf(resource: string, shape: string, value: unknown): string[] {
  if (!shape.startsWith(sharing)) return [createdFingerprint(resource, shape.split(","), value)];
  return entriesIn(resource, shape, recordOf(value)).map(({ print }) => print);
}

/** Is there anything that a thing could be known by? */
export function hasValues(identity: Fields): boolean {
  return Object.keys(identity).length > 0;
}
