import * as z from "zod";
import type { Schema } from "../../contract/operation.js";

/** `never`: a request must not contain the field. */
type FieldType = "text" | "number" | "boolean" | "enum" | "texts" | "numbers" | "nested" | "never";

export interface Field {
  name: string;
  type: FieldType;
  choices?: readonly string[];
  default?: string;
  description?: string;
}

export function listFields(schema: Schema | undefined): Field[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<Schema>(schema.shape).map(([name, field]) => describeField(name, field));
}

function describeField(name: string, schema: Schema): Field {
  const { inner, preset } = unwrap(schema);
  const description = inner instanceof z.ZodType ? inner.description : undefined;
  return {
    name,
    ...toFieldType(inner),
    ...(preset === undefined ? {} : { default: preset }),
    ...(description === undefined ? {} : { description }),
  };
}

function unwrap(schema: Schema, preset?: string): { inner: Schema; preset: string | undefined } {
  if (schema instanceof z.ZodDefault) return unwrap(schema.unwrap(), formatPreset(schema.def.defaultValue));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrap(schema.unwrap(), preset);
  if (schema instanceof z.ZodPipe) return unwrap(schema.in, preset);
  return { inner: schema, preset };
}

function formatPreset(value: unknown): string | undefined {
  return typeof value === "number" ||
    typeof value === "boolean" ||
    (typeof value === "string" && value !== "")
    ? String(value)
    : undefined;
}

function toFieldType(schema: Schema): Pick<Field, "type" | "choices"> {
  if (schema instanceof z.ZodNever) return { type: "never" };
  if (schema instanceof z.ZodEnum) return { type: "enum", choices: schema.options.map(String) };
  if (schema instanceof z.ZodLiteral) return { type: "enum", choices: [...schema.values].map(String) };
  if (schema instanceof z.ZodNumber) return { type: "number" };
  if (schema instanceof z.ZodBoolean) return { type: "boolean" };
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return { type: "text" };
  if (schema instanceof z.ZodUnion) return toUnionType(schema.options);
  if (schema instanceof z.ZodArray) {
    const element = toFieldType(unwrap(schema.element).inner);
    if (element.type === "text") return { type: "texts" };
    if (element.type === "enum")
      return { type: "texts", ...(element.choices ? { choices: element.choices } : {}) };
    if (element.type === "number") return { type: "numbers" };
  }
  return { type: "nested" };
}

/** A union with types other than strings gets no flag and requires `--data`. */
function toUnionType(options: readonly Schema[]): Pick<Field, "type"> {
  const types = options.map((option) => toFieldType(unwrap(option).inner).type);
  return types.every((type) => type === "text" || type === "enum") ? { type: "text" } : { type: "nested" };
}

export function listRequiredFields(schema: Schema | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<Schema>(schema.shape)
    .filter(([, field]) => !isOmittable(field))
    .map(([name]) => name);
}

function isOmittable(schema: Schema): boolean {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodUnknown ||
    schema instanceof z.ZodAny
  );
}
