import type { Row } from "../rows.js";
import type { FieldShape } from "./schema.js";

/** The text in each of a form's controls, by field. */
export type Typed = Readonly<Record<string, string>>;

/** Formats a stored value for its control. */
export function typedOf({ control }: FieldShape, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (control === "lines" && Array.isArray(value)) return value.join("\n");
  if (control === "json") return JSON.stringify(value, null, 2);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Returns the value of a control.
 * @throws SyntaxError for invalid JSON
 */
function valueFrom({ control, nullable }: FieldShape, typed: string): unknown {
  if (typed === "" && (nullable || control === "json")) return null;
  switch (control) {
    case "number":
      // Send an invalid number as text, so that the service reports the error.
      return typed.trim() === "" || Number.isNaN(Number(typed)) ? typed : Number(typed);
    case "switch":
      return typed === "true";
    case "lines":
      return typed
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
    case "json":
      return JSON.parse(typed);
    default:
      return typed;
  }
}

/**
 * Returns the body of a request: the changed fields of an existing resource, or the filled-in fields of a new resource. @param stored the
 * existing resource; undefined for a new resource @throws Error that names the field with invalid JSON
 */
export function bodyOf(shapes: readonly FieldShape[], typed: Typed, stored: Row | undefined): Row {
  const fields = shapes.flatMap((shape): [string, unknown][] => {
    const now = typed[shape.name];
    if (now === undefined) return [];
    if (stored ? now === typedOf(shape, stored[shape.name]) : now === "") return [];
    try {
      return [[shape.name, valueFrom(shape, now)]];
    } catch {
      throw new Error(`${shape.name}: invalid JSON.`);
    }
  });
  return Object.fromEntries(fields);
}

/** Returns the changed fields of edited JSON. */
export function changedFields(edited: Row, stored: Row): Row {
  return Object.fromEntries(
    Object.entries(edited).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name])),
  );
}
