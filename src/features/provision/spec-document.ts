import * as z from "zod";
import {
  checkSpec,
  type PlannedLicense,
  type PlannedMsp,
  type SpecProblem,
  type SpecResult,
} from "./organization-spec.js";

type Path = readonly PropertyKey[];
/** Returns the line, from 1, on which the value at a path of the document starts. */
export type LineOf = (path: readonly (string | number)[]) => number | undefined;

/** The form of a value, unless it is absent. */
const unless = (text: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? "is missing" : input === null ? "must not be empty" : text,
});
// D-v2-org's form of an id is a guess: the service judges it.
const Text = z.string(unless("must be text; put quotes around a number")).trim().min(1, "must not be empty");
const License = z.union(
  [
    Text,
    z.strictObject({
      id: Text,
      product: Text.optional(),
      status: z.enum(["available", "disabled"], "must be available or disabled").optional(),
    }),
  ],
  unless("must be a license id in quotes, or id and product"),
);
const Customer = z.strictObject(
  { external_id: Text, name: Text, license: Text },
  unless("must be a customer, with external_id, name and license"),
);
const Msp = z.strictObject(
  {
    external_id: Text,
    name: Text,
    license: License,
    licenses: z.array(License, "must be a list of licenses").default([]),
    customers: z.array(Customer, "must be a list of customers").default([]),
  },
  unless("must be an MSP, with external_id, name and license"),
);
/** The document of a plan of organizations. */
export const SpecDocument = z.strictObject(
  { name: Text.optional(), msps: z.array(Msp, unless("must be a list of MSPs")).min(1, "must name an MSP") },
  unless("must begin with msps:"),
);

/** The plan in a parsed YAML or JSON document, checked whole, or everything that is wrong with it. */
export function parseSpecDocument(
  document: unknown,
  { lineOf = () => undefined, keyLineOf = lineOf }: { lineOf?: LineOf; keyLineOf?: LineOf } = {},
): SpecResult {
  const parsed = SpecDocument.safeParse(document);
  const problems = (parsed.error?.issues ?? []).flatMap((issue): SpecProblem[] => {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
    return keys.map((key) => {
      const path = key === undefined ? issue.path : [...issue.path, key];
      const { at, field } = positionOf(document, path, key === undefined ? lineOf : keyLineOf);
      const text = key === undefined ? issue.message : "is not a field that a spec can have";
      return { at, message: field === "" ? text : `${field} ${text}` };
    });
  });
  // Valid parts are checked in addition to invalid ones, so that all errors are reported together.
  const name = textIn(document, "name");
  return checkSpec({ ...(name === "" ? {} : { name }), msps: mspsIn(document, lineOf) }, problems);
}

/** Reads the spec as far as possible; unreadable values become the empty text. */
function mspsIn(document: unknown, lineOf: LineOf): PlannedMsp[] {
  const position = (...path: Path) => {
    const { at, line } = positionOf(document, path, lineOf);
    return { at, line };
  };
  const licenseOf = (value: unknown, path: Path): PlannedLicense => {
    const { data } = License.safeParse(value);
    const license = typeof data === "string" ? { id: data } : data;
    const { id = "", product, status } = { product: undefined, status: undefined, ...license };
    return {
      ...position(...path),
      id,
      product,
      ...(status === "disabled" ? { isDisabled: true } : {}),
    };
  };
  return listIn(document, "msps").map((msp, index) => ({
    ...position("msps", index),
    externalId: textIn(msp, "external_id"),
    name: textIn(msp, "name"),
    license: licenseOf(valueIn(msp, "license"), ["msps", index, "license"]),
    licenses: listIn(msp, "licenses").map((license, number) =>
      licenseOf(license, ["msps", index, "licenses", number]),
    ),
    customers: listIn(msp, "customers").map((customer, number) => ({
      ...position("msps", index, "customers", number),
      externalId: textIn(customer, "external_id"),
      name: textIn(customer, "name"),
      license: textIn(customer, "license"),
    })),
  }));
}

function valueIn(value: unknown, key: PropertyKey): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;
}

function textIn(value: unknown, key: string): string {
  return Text.safeParse(valueIn(value, key)).data ?? "";
}

function listIn(value: unknown, key: string): readonly unknown[] {
  const list = valueIn(value, key);
  return Array.isArray(list) ? list : [];
}

const nouns: Readonly<Record<string, string>> = { msps: "MSP", customers: "customer" };

/** Describes a path for the user: the line, the nearest named element, and the field in it. */
function positionOf(
  document: unknown,
  path: Path,
  lineOf: LineOf,
): { at: string; line: number; field: string } {
  const keys = path.filter((key) => typeof key !== "symbol");
  let value = document;
  let subject = "the plan";
  let begun = 0;
  for (const [depth, key] of keys.entries()) {
    value = valueIn(value, key);
    const noun = typeof key === "number" ? nouns[String(keys[depth - 1])] : undefined;
    if (noun === undefined || typeof key !== "number") continue;
    subject = `${noun} ${textIn(value, "external_id") || textIn(value, "name") || `number ${key + 1}`}`;
    begun = depth + 1;
  }
  // A missing value has no line, so report the line of its parent.
  const known = keys.length > 0 ? (lineOf(keys) ?? lineOf(keys.slice(0, -1))) : undefined;
  return {
    at: known === undefined ? subject : `line ${known}, ${subject}`,
    line: known ?? 0,
    field: keys.slice(begun).join("."),
  };
}
