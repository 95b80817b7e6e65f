import * as z from "zod";
import { once } from "./once.js";
import type { Schema } from "./operation.js";

interface Assumption {
  /** ID of the decision, such as `D-text`. */
  decision: string;
  /** Undefined if the documents allow any value. */
  documented: Schema | undefined;
  /** Like `documented`, but a required field stays required: the emulator can't store a resource without it. */
  stored: Schema | undefined;
}

const assumptions = new WeakMap<Schema, Assumption>();
const rules = new WeakMap<Schema, string>();

const anything = once(() => z.unknown());

/**
 * Marks a schema as an assumption: the client uses `documented` instead, so that it works even if the
 * assumption is wrong.
 */
export function assumed<T extends z.ZodType>(
  decision: string,
  schema: T,
  documented?: Schema,
  stored = documented,
): T {
  // Mark a copy, because several decisions can share a schema, such as the schema of times.
  const marked = schema.clone();
  assumptions.set(marked, { decision, documented, stored });
  const rule = rules.get(schema);
  if (rule !== undefined) rules.set(marked, rule);
  return marked;
}

/** Records which API rule a schema implements, so that an error can name the rule. */
export function ruled<T extends z.ZodType>(rule: string, schema: T): T {
  rules.set(schema, rule);
  return schema;
}

/**
 * Marks a field that a decision requires but the documents don't, so the client accepts requests without the
 * field.
 */
export function requiredBy<T extends z.ZodType>(decision: string, field: T): T {
  const copy = field.meta({ ...field.meta() });
  const rule = rules.get(field);
  if (rule !== undefined) rules.set(copy, rule);
  const known = assumptions.get(field)?.decision;
  const documented = documentedOnly(field);
  return assumed(known ?? decision, copy, z.optional(documented), documented);
}

/** Returns the API rule or decision of a schema. Ignores the rules and decisions of its fields. */
export function findRule(schema: Schema): string | undefined {
  return rules.get(schema) ?? assumptions.get(schema)?.decision;
}

export function findDecision(schema: Schema): string | undefined {
  return assumptions.get(schema)?.decision;
}

const cache = new WeakMap<Schema, Schema>();

/** Returns the schema without its assumptions; the result also allows unknown fields. */
export function documentedOnly(schema: Schema): Schema {
  let result = cache.get(schema);
  if (!result) {
    result = withoutAssumptions(schema);
    cache.set(schema, result);
  }
  return result;
}

function withoutAssumptions(schema: Schema): Schema {
  const assumption = assumptions.get(schema);
  if (assumption) return assumption.documented ?? anything();
  if (schema instanceof z.ZodObject) {
    const shape: Record<string, Schema> = {};
    for (const [name, field] of Object.entries<Schema>(schema.shape)) shape[name] = optionalAsBefore(field);
    return z.looseObject(shape);
  }
  if (schema instanceof z.ZodArray) return z.array(documentedOnly(schema.element));
  if (schema instanceof z.ZodOptional) return z.optional(documentedOnly(schema.unwrap()));
  if (schema instanceof z.ZodNullable) return z.nullable(documentedOnly(schema.unwrap()));
  // The service applies defaults, so the client doesn't.
  if (schema instanceof z.ZodDefault) return z.optional(documentedOnly(schema.unwrap()));
  return schema;
}

function optionalAsBefore(field: Schema): Schema {
  const documented = documentedOnly(field);
  return field instanceof z.ZodOptional && !(documented instanceof z.ZodOptional)
    ? z.optional(documented)
    : documented;
}

/** Returns the schema without the assumptions of these decisions; the result still refuses unknown fields. */
export function withoutDecisions(schema: Schema, decisions: ReadonlySet<string>): Schema {
  const assumption = assumptions.get(schema);
  if (assumption && decisions.has(assumption.decision)) return assumption.stored ?? anything();
  if (schema instanceof z.ZodObject) {
    const changed: Record<string, Schema> = {};
    for (const [name, field] of Object.entries<Schema>(schema.shape)) {
      const without = withoutDecisions(field, decisions);
      if (without !== field) changed[name] = without;
    }
    if (Object.keys(changed).length === 0) return schema;
    // A new schema from `shape` alone would lose the object's own checks.
    return new z.ZodObject({ ...schema.def, shape: { ...schema.shape, ...changed } });
  }
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const options = schema.options.map((option) => withoutDecisions(option, decisions));
    if (options.every((option, index) => option === schema.options[index])) return schema;
    return new z.ZodDiscriminatedUnion({ ...schema.def, options });
  }
  if (schema instanceof z.ZodArray) return rewrapped(schema, schema.element, decisions, z.array);
  if (schema instanceof z.ZodOptional) return rewrapped(schema, schema.unwrap(), decisions, z.optional);
  if (schema instanceof z.ZodNullable) return rewrapped(schema, schema.unwrap(), decisions, z.nullable);
  if (schema instanceof z.ZodDefault) {
    const { defaultValue } = schema.def;
    return rewrapped(schema, schema.unwrap(), decisions, (inner) => z._default(inner, defaultValue));
  }
  return schema;
}

function rewrapped(
  schema: Schema,
  inner: Schema,
  decisions: ReadonlySet<string>,
  wrap: (inner: Schema) => Schema,
): Schema {
  const without = withoutDecisions(inner, decisions);
  return without === inner ? schema : wrap(without);
}
