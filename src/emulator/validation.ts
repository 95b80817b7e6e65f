import * as z from "zod";
import { ruleOf } from "../contract/assumed.js";
import type { Schema } from "../contract/operation.js";
import type { RefusalDetail } from "./refusal.js";

interface Problems {
  rule: string;
  details: RefusalDetail[];
}

export type ParseResult = { ok: true; value: unknown } | { ok: false; problems: Problems };

/**
 * Parses a query or body; on failure says which rule the first problem met.
 * @param words for problems that the schema has no words for
 */
export function parseWith(schema: Schema, value: unknown, words?: z.core.$ZodErrorMap): ParseResult {
  const result = z.safeParse(schema, value, words && { error: words });
  if (result.success) return { ok: true, value: result.data };
  const details: RefusalDetail[] = [];
  let rule: string | undefined;
  const ofWrongType = new Set<string>();
  for (const issue of flatten(result.error.issues)) {
    // Bounds are judged on what is of another type, too, if it has a length; one entry is enough.
    const place = JSON.stringify(issue.path);
    if (ofWrongType.has(place)) continue;
    if (issue.code === "invalid_type") ofWrongType.add(place);
    rule ??= ruleOfIssue(issue, schema, value);
    const path = issue.path.map((part) => (typeof part === "symbol" ? String(part) : part));
    if (issue.code === "unrecognized_keys") {
      // D-strict: an entry per field.
      for (const name of issue.keys) {
        details.push({ path: [...path, name], message: "is no field that can be sent here" });
      }
    } else {
      details.push({ path, message: isMissing(issue, value) ? "is required" : issue.message });
    }
  }
  return { ok: false, problems: { rule: rule ?? "public.errors.1", details } };
}

/**
 * The parameters of a query as its schema takes them, the last of a repeated name. What coercion would forgive (signs,
 * white space, exponents, other bases) is no number here (D-number-form).
 */
export function queryValues(schema: Schema, search: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(search)) {
    const isNumber = innermost(childOf(schema, name)) instanceof z.ZodNumber;
    values[name] = isNumber && !/^\d+(\.0+)?$/.test(text) ? Number.NaN : text;
  }
  return values;
}

function innermost(schema: Schema | undefined): Schema | undefined {
  let current = schema;
  while (current) {
    const inner = unwrapped(current);
    if (!inner) break;
    current = inner;
  }
  return current;
}

/** The issues of the union's member that came closest; the others as they are. */
function flatten(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
    const closest = [...issue.errors].sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0] ?? [];
    return flatten(closest).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
  });
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

function isMissing(issue: z.core.$ZodIssue, value: unknown): boolean {
  return issue.path.length > 0 && valueAt(value, issue.path) === undefined;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Object.entries(current).find(([name]) => name === String(part))?.[1];
  }
  return current;
}

/** The rule that a problem met: the one it names itself, else that of the innermost schema which has one. */
function ruleOfIssue(issue: z.core.$ZodIssue, schema: Schema, value: unknown): string {
  if (issue.code === "unrecognized_keys") return "D-strict";
  if (issue.code === "custom" && typeof issue.params?.["rule"] === "string") return issue.params["rule"];
  // A missing field is its object's matter, not its own form's.
  const path = isMissing(issue, value) ? issue.path.slice(0, -1) : issue.path;
  let current: Schema | undefined = memberOf(schema, value);
  let rule = rulesOfLayers(current) ?? rulesOfLayers(schema);
  for (const part of path) {
    current = current && childOf(current, part);
    if (!current) break;
    rule = rulesOfLayers(current) ?? rule;
  }
  return rule ?? "public.errors.1";
}

/** Of a union, the member that the value says it is; else the schema itself. */
function memberOf(schema: Schema, value: unknown): Schema {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema;
  const { discriminator } = schema.def;
  const kind = valueAt(value, [discriminator]);
  const isMeant = (member: Schema) => {
    const field = childOf(member, discriminator);
    return field !== undefined && z.safeParse(field, kind).success;
  };
  return schema.options.find(isMeant) ?? schema;
}

/** The rule of a schema or of what it wraps (optional, nullable, default). */
function rulesOfLayers(schema: Schema): string | undefined {
  let current: Schema | undefined = schema;
  while (current) {
    const rule = ruleOf(current);
    if (rule) return rule;
    current = unwrapped(current);
  }
  return undefined;
}

function unwrapped(schema: Schema): Schema | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return schema.unwrap();
  }
  return undefined;
}

function childOf(schema: Schema, part: PropertyKey): Schema | undefined {
  let current: Schema | undefined = schema;
  while (current) {
    if (current instanceof z.ZodObject) {
      const shape: Record<string, Schema> = current.shape;
      return Object.hasOwn(shape, String(part)) ? shape[String(part)] : undefined;
    }
    if (current instanceof z.ZodArray) return current.element;
    current = unwrapped(current);
  }
  return undefined;
}
