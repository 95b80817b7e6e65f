/**
 * Finds live fields that the contract doesn't define. `pull` skips these fields, because they may be
 * read-only.
 */
import { ExactNumber } from "../../base/exact-json.js";
import { operations } from "../../contract/contract.js";

const shapes = new Map<string, ReadonlySet<string>>();

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

/** Large numbers would lose digits in YAML. */
function isWritable(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value instanceof ExactNumber) return false;
  return (
    typeof value !== "object" || Object.values(value).every((inner) => inner === null || isWritable(inner))
  );
}
