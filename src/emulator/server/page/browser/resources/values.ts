import { type Row, rowOf } from "../rows.js";
import type { FieldShape } from "./schema.js";

/** Text in each control, by the field's path, such as `pre_call_webhook.url`. */
export type Typed = Readonly<Record<string, string>>;

export function joinPath(parent: string, name: string): string {
  return parent === "" ? name : `${parent}.${name}`;
}

export function toTyped(shapes: readonly FieldShape[], stored: Row, parent = ""): Typed {
  const entries = shapes.flatMap((shape): [string, string][] => {
    const path = joinPath(parent, shape.name);
    const value = stored[shape.name];
    if (shape.control === "object") return Object.entries(toTyped(shape.fields, rowOf(value), path));
    return [[path, formatValue(shape, value)]];
  });
  return Object.fromEntries(entries);
}

function formatValue({ control }: FieldShape, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (control === "lines" && Array.isArray(value)) return value.join("\n");
  if (control === "pairs")
    return Object.entries(rowOf(value))
      .map(([name, content]) => `${name}: ${content}`)
      .join("\n");
  if (control === "json") return JSON.stringify(value, null, 2);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function toLines(typed: string): string[] {
  return typed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** @throws Error for invalid JSON */
function readValue(shape: FieldShape, typed: Typed, path: string): unknown {
  const { control, nullable } = shape;
  if (control === "object") return readObject(shape, typed, path);
  const content = typed[path] ?? "";
  if (content === "" && (nullable || control === "json")) return null;
  switch (control) {
    case "number":
      // Send an invalid number as text, so that the service reports the error.
      return content.trim() === "" || Number.isNaN(Number(content)) ? content : Number(content);
    case "switch":
      return content === "true";
    case "lines":
      return toLines(content);
    case "pairs":
      return Object.fromEntries(
        toLines(content).map((line) => {
          const [name = "", ...value] = line.split(":");
          return [name.trim(), value.join(":").trim()];
        }),
      );
    case "json":
      try {
        return JSON.parse(content);
      } catch {
        throw new Error(`${path}: invalid JSON.`);
      }
    default:
      return content;
  }
}

/** Null if no field is filled in. */
function readObject({ fields, nullable }: FieldShape, typed: Typed, path: string): unknown {
  const isFilled = Object.entries(typed).some(
    ([name, content]) => name.startsWith(`${path}.`) && content !== "" && content !== "false",
  );
  if (!isFilled && nullable) return null;
  const type = typed[joinPath(path, "type")] ?? "";
  const entries = fields
    .filter(({ variants }) => variants === undefined || variants.includes(type))
    .map((field) => [field.name, readValue(field, typed, joinPath(path, field.name))] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

/**
 * Returns the changed fields; for a new resource, the fields that are filled in. A changed object is returned
 * completely.
 * @param stored undefined for a new resource
 * @throws Error that names the field with invalid JSON
 */
export function buildBody(shapes: readonly FieldShape[], typed: Typed, stored: Row | undefined): Row {
  const before = stored ? toTyped(shapes, stored) : {};
  const isChanged = (path: string) =>
    Object.keys(typed).some(
      (name) => (name === path || name.startsWith(`${path}.`)) && typed[name] !== (before[name] ?? ""),
    );
  return Object.fromEntries(
    shapes
      .filter(({ name }) => isChanged(name))
      .map((shape) => [shape.name, readValue(shape, typed, shape.name)]),
  );
}

export function changedFields(edited: Row, stored: Row): Row {
  return Object.fromEntries(
    Object.entries(edited).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(stored[name])),
  );
}
