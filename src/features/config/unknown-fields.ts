/**
 * Finds fields of live resources that the contract doesn't define. `pull` doesn't write them, because they may be
 * read-only.
 */
import { ExactNumber } from "../../base/exact-json.js";
import { operations } from "../../contract/contract.js";

const shapes = new Map<string, ReadonlySet<string>>();

/** Returns the undocumented, non-empty fields of a live resource. */
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

/** Returns whether a value can be written to YAML without loss. Large numbers can't. */
function isWritable(value: unknown): boolean {
  if (value === null || value === undefined || value === "" || value instanceof ExactNumber) return false;
  return (
    typeof value !== "object" || Object.values(value).every((inner) => inner === null || isWritable(inner))
  );
}
