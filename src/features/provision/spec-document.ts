import * as z from "zod";
import {
  checkSpec,
  type PlannedLicense,
  type PlannedMsp,
  type SpecProblem,
  type SpecResult,
} from "./organization-spec.js";

type Path = readonly PropertyKey[];
/** Returns the line on which the value at a path starts, counted from 1. */
export type LineOf = (path: readonly (string | number)[]) => number | undefined;

const unless = (text: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? "is missing" : input === null ? "must not be empty" : text,
});
// Don't check the format of IDs, because the documents don't define it. The service checks the format
// (D-v2-org).
const Text = z.string(unless("must be text; enclose a number in quotes")).trim().min(1, "must not be empty");
const License = z.union(
  [
    Text,
    z.strictObject({
      id: Text,
      product: Text.optional(),
      status: z.enum(["available", "disabled"], 'must be "available" or "disabled"').optional(),
    }),
  ],
  unless("must be a license ID in quotes, or an object with id, product and status"),
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
export const SpecDocument = z.strictObject(
  {
    name: Text.optional().describe("Identifies the spec's runs; required for --prune"),
    msps: z.array(Msp, unless("must be a list of MSPs")).min(1, "must contain at least one MSP"),
  },
  unless("must contain msps:"),
);

export function parseSpecDocument(
  document: unknown,
  { lineOf = () => undefined, keyLineOf = lineOf }: { lineOf?: LineOf; keyLineOf?: LineOf } = {},
): SpecResult {
  const parsed = SpecDocument.safeParse(document);
  const problems = (parsed.error?.issues ?? []).flatMap(toInnerIssues).flatMap((issue): SpecProblem[] => {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
    return keys.map((key) => {
      const path = key === undefined ? issue.path : [...issue.path, key];
      const { at, field } = positionOf(document, path, key === undefined ? lineOf : keyLineOf);
      const text = key === undefined ? issue.message : "is not a known field";
      return { at, message: field === "" ? text : `${field} ${text}` };
    });
  });
  // Also check the valid parts, so that all errors are reported together.
  const name = textIn(document, "name");
  return checkSpec({ ...(name === "" ? {} : { name }), msps: mspsIn(document, lineOf) }, problems);
}

/** Returns the errors in a license's fields, instead of an error about the license's type. */
function toInnerIssues(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== "invalid_union") return [issue];
  const inner = issue.errors.find((issues) =>
    issues.some(({ path, code }) => path.length > 0 || code === "unrecognized_keys"),
  );
  return (
    inner?.map((innerIssue) => ({ ...innerIssue, path: [...issue.path, ...innerIssue.path] })) ?? [issue]
  );
}

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

function positionOf(
  document: unknown,
  path: Path,
  lineOf: LineOf,
): { at: string; line: number; field: string } {
  const keys = path.filter((key) => typeof key !== "symbol");
  let value = document;
  let subject = "the spec";
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
