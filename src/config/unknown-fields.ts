/** F4: fields of live things of which the contract knows nothing. They may be read-only, so that pull asks before it writes them. */
import { ExactNumber } from "../base/exact-json.js";
import { operations } from "../contract/contract.js";

const shapes = new Map<string, ReadonlySet<string>>();

/** A live thing's fields that no document names and that hold anything. */
export function unknownFields(
  resource: string,
  record: Readonly<Record<string, unknown>>,
): (readonly [field: string, value: unknown])[] {
  const known = shapes.get(resource) ?? shapeOf(resource);
  shapes.set(resource, known);
  return Object.entries(record).filter(([field, value]) => !known.has(field) && isWritable(value));
}

function shapeOf(resource: string): ReadonlySet<string> {
  const schemas = ["get", "create", "list"].map((verb) => operations[`${resource}.${verb}`]?.response);
  return new Set(
    schemas.flatMap((schema) =>
      schema !== undefined && "shape" in schema ? Object.keys(Object(schema.shape)) : [],
    ),
  );
}

/** T9: a number that a double can't hold has no form in YAML that would come back the same. */
function isWritable(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value instanceof ExactNumber) return false;
  return (
    typeof value !== "object" || Object.values(value).every((inner) => inner === null || isWritable(inner))
  );
}
