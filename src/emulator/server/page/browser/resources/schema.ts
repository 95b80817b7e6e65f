import { type Row, rowOf, rowsOf, text } from "../rows.js";

export interface FieldShape {
  name: string;
  required: boolean;
  nullable: boolean;
  control: "text" | "long" | "number" | "switch" | "choice" | "lines" | "pairs" | "object" | "json";
  choices: readonly string[];
  fields: readonly FieldShape[];
  /** Values of the object's `type` for which this field exists; undefined if it always exists. */
  variants?: readonly string[];
}

export type Shapes = (schema: string) => Promise<readonly FieldShape[]>;

/** Reads the API's description only once. */
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
    return toFields(rowOf(rowOf(rowOf((await description)["components"])["schemas"])[name]));
  };
}

function toFields(schema: Row): FieldShape[] {
  const required = new Set(toList(schema["required"]));
  return (
    Object.entries(rowOf(schema["properties"]))
      // Skip a field that accepts any value: such a field exists only so that clients can send a response
      // back.
      .filter(([, value]) => Object.keys(rowOf(value)).length > 0)
      .map(([field, value]) => toShape(field, rowOf(value), required.has(field)))
  );
}

const singleLineLength = 500;

function toShape(name: string, schema: Row, required: boolean): FieldShape {
  const alternatives = rowsOf(schema["anyOf"]);
  const types = [schema, ...alternatives].flatMap((variant) => toList(variant["type"]));
  const nullable = types.includes("null");
  const main = alternatives.find((variant) => text(variant, "type") !== "null") ?? schema;
  const choices = toList(main["enum"]);
  const shape = { name, required, nullable, choices, fields: [] };
  if (choices.length > 0) return { ...shape, control: "choice" };
  if (types.includes("boolean")) return { ...shape, control: "switch" };
  if (types.includes("integer") || types.includes("number")) return { ...shape, control: "number" };
  if (types.includes("array") && text(rowOf(main["items"]), "type") === "string")
    return { ...shape, control: "lines" };
  if (types.includes("string") && !types.includes("object") && !types.includes("array")) {
    const isLong = Number(main["maxLength"] ?? 0) > singleLineLength && !name.endsWith("url");
    return { ...shape, control: isLong ? "long" : "text" };
  }
  if (text(rowOf(main["additionalProperties"]), "type") === "string") return { ...shape, control: "pairs" };
  const fields = main["oneOf"] === undefined ? toFields(main) : toVariantFields(rowsOf(main["oneOf"]));
  return { ...shape, fields, control: fields.length > 0 ? "object" : "json" };
}

function toVariantFields(variants: readonly Row[]): FieldShape[] {
  const typeOf = (variant: Row) => text(rowOf(rowOf(variant["properties"])["type"]), "const");
  const fields = new Map<string, FieldShape>();
  for (const field of variants.flatMap(toFields)) {
    const types = variants
      .filter((variant) => toFields(variant).some(({ name }) => name === field.name))
      .map(typeOf);
    fields.set(field.name, { ...field, variants: types });
  }
  const choices = variants.map(typeOf);
  fields.set("type", {
    name: "type",
    required: false,
    nullable: true,
    control: "choice",
    choices,
    fields: [],
  });
  return [...fields.values()];
}

function toList(value: unknown): string[] {
  return (Array.isArray(value) ? value : value === undefined ? [] : [value]).filter(
    (entry): entry is string => typeof entry === "string",
  );
}
