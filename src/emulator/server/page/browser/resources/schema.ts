import { type Row, rowOf, rowsOf, text } from "../rows.js";

/** How a field is edited. */
export interface FieldShape {
  name: string;
  required: boolean;
  nullable: boolean;
  control: "text" | "long" | "number" | "switch" | "choice" | "lines" | "json";
  choices: readonly string[];
}

/** Returns the fields of a body from the API's description. */
export type Shapes = (schema: string) => Promise<readonly FieldShape[]>;

/** Returns a function that reads the description only once. */
export function createShapes(): Shapes {
  let description: Promise<Row> | undefined;
  return async (name) => {
    description ??= fetch("/api/v1/openapi.json", { credentials: "omit" })
      .then((response) => response.json())
      .then(rowOf)
      .catch((error: unknown) => {
        description = undefined;
        throw error;
      });
    const schemas = rowOf(rowOf((await description)["components"])["schemas"]);
    const schema = rowOf(schemas[name]);
    const required = new Set(toList(schema["required"]));
    return Object.entries(rowOf(schema["properties"])).map(([field, value]) =>
      toShape(field, rowOf(value), required.has(field)),
    );
  };
}

/** Fields whose values may be longer get several lines. */
const singleLineLength = 500;

function toShape(name: string, schema: Row, required: boolean): FieldShape {
  const alternatives = rowsOf(schema["anyOf"]);
  const types = [schema, ...alternatives].flatMap((variant) => toList(variant["type"]));
  const nullable = types.includes("null");
  const main = alternatives.find((variant) => text(variant, "type") !== "null") ?? schema;
  const choices = toList(main["enum"]);
  const shape = { name, required, nullable, choices };
  if (choices.length > 0) return { ...shape, control: "choice" };
  if (types.includes("boolean")) return { ...shape, control: "switch" };
  if (types.includes("integer") || types.includes("number")) return { ...shape, control: "number" };
  if (types.includes("array") && text(rowOf(main["items"]), "type") === "string")
    return { ...shape, control: "lines" };
  if (types.includes("string") && !types.includes("object") && !types.includes("array"))
    return { ...shape, control: Number(main["maxLength"] ?? 0) > singleLineLength ? "long" : "text" };
  return { ...shape, control: "json" };
}

function toList(value: unknown): string[] {
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter(
    (entry): entry is string => typeof entry === "string",
  );
}
