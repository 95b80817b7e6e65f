import * as z from "zod";
import type { Schema } from "../../contract/operation.js";

/** The part of a schema that a flag can carry; `never` takes no value at all. */
type FieldKind = "text" | "number" | "boolean" | "enum" | "texts" | "numbers" | "nested" | "never";

export interface Field {
  name: string;
  kind: FieldKind;
  /** The values of an enum. */
  choices?: readonly string[];
  /** The contract's default, as a person would write it. */
  default?: string;
  description?: string;
}

/** The fields of an object's schema, in its order. */
export function fieldsOf(schema: Schema | undefined): Field[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<Schema>(schema.shape).map(([name, field]) => describeField(name, field));
}

function describeField(name: string, schema: Schema): Field {
  const { inner, preset } = unwrap(schema);
  const description = inner instanceof z.ZodType ? inner.description : undefined;
  return {
    name,
    ...kindOf(inner),
    ...(preset === undefined ? {} : { default: preset }),
    ...(description === undefined ? {} : { description }),
  };
}

/** Without what only says that it may be missing. */
function unwrap(schema: Schema, preset?: string): { inner: Schema; preset: string | undefined } {
  if (schema instanceof z.ZodDefault) return unwrap(schema.unwrap(), presetText(schema.def.defaultValue));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrap(schema.unwrap(), preset);
  if (schema instanceof z.ZodPipe) return unwrap(schema.in, preset);
  return { inner: schema, preset };
}

function presetText(value: unknown): string | undefined {
  return typeof value === "number" ||
    typeof value === "boolean" ||
    (typeof value === "string" && value !== "")
    ? String(value)
    : undefined;
}

function kindOf(schema: Schema): Pick<Field, "kind" | "choices"> {
  if (schema instanceof z.ZodNever) return { kind: "never" };
  if (schema instanceof z.ZodEnum) return { kind: "enum", choices: schema.options.map(String) };
  if (schema instanceof z.ZodLiteral) return { kind: "enum", choices: [...schema.values].map(String) };
  if (schema instanceof z.ZodNumber) return { kind: "number" };
  if (schema instanceof z.ZodBoolean) return { kind: "boolean" };
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return { kind: "text" };
  if (schema instanceof z.ZodUnion) return unionKind(schema.options);
  if (schema instanceof z.ZodArray) {
    const element = kindOf(unwrap(schema.element).inner);
    if (element.kind === "text") return { kind: "texts" };
    if (element.kind === "enum")
      return { kind: "texts", ...(element.choices ? { choices: element.choices } : {}) };
    if (element.kind === "number") return { kind: "numbers" };
  }
  return { kind: "nested" };
}

/** A flag can carry a union of texts, as text. */
function unionKind(options: readonly Schema[]): Pick<Field, "kind"> {
  const kinds = options.map((option) => kindOf(unwrap(option).inner).kind);
  return kinds.every((kind) => kind === "text" || kind === "enum") ? { kind: "text" } : { kind: "nested" };
}

/** The fields that an object must have, as far as the schema says. */
export function requiredFields(schema: Schema | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries<Schema>(schema.shape)
    .filter(([, field]) => !acceptsNothing(field))
    .map(([name]) => name);
}

function acceptsNothing(schema: Schema): boolean {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodUnknown ||
    schema instanceof z.ZodAny
  );
}
