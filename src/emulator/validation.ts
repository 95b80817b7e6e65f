import * as z from "zod";
import { toIssuePath } from "../base/describe-issue.js";
import { findRule } from "../contract/assumed.js";
import { findFieldSchema } from "../contract/field-schema.js";
import type { Schema } from "../contract/operation.js";
import type { RefusalDetail } from "./refusal.js";

interface Problems {
  rule: string;
  details: RefusalDetail[];
}

export type ParseResult = { ok: true; value: unknown } | { ok: false; problems: Problems };

/**
 * If parsing fails, `rule` is the API rule of the first problem.
 * @param words function that returns default messages
 */
export function parseWith(schema: Schema, value: unknown, words?: z.core.$ZodErrorMap): ParseResult {
  const result = z.safeParse(schema, value, words && { error: words });
  if (result.success) return { ok: true, value: result.data };
  const problems = new BoundedDetails();
  let rule: string | undefined;
  let ofWrongType: readonly PropertyKey[] | undefined;
  for (const issue of flatten(result.error.issues)) {
    // For a value of the wrong type, zod can also report an invalid length. Report only the type.
    if (ofWrongType && isSamePath(ofWrongType, issue.path)) continue;
    if (issue.code === "invalid_type") ofWrongType = issue.path;
    rule ??= findIssueRule(issue, schema, value);
    if (issue.code === "unrecognized_keys") {
      // Report each field separately (D-strict).
      for (const name of issue.keys) problems.add(() => [[...issue.path, name], "is not an accepted field"]);
    } else {
      const isPlain = ruleOfIssue(issue) === undefined && isMissing(issue, value);
      problems.add(() => [issue.path, isPlain ? "is required" : issue.message]);
    }
  }
  return { ok: false, problems: { rule: rule ?? "public.errors.1", details: problems.list() } };
}

function isSamePath(a: readonly PropertyKey[], b: readonly PropertyKey[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

/** Without a maximum, a response could be megabytes long. */
const maximumDetails = 100;

export class BoundedDetails {
  private readonly details: RefusalDetail[] = [];
  private count = 0;

  /** @param make builds an entry; not called if the maximum is reached */
  add(make: () => readonly [path: readonly PropertyKey[], message: string]): void {
    this.count += 1;
    if (this.count > maximumDetails) return;
    const [path, message] = make();
    this.details.push({ path: toIssuePath(path), message });
  }

  list(): RefusalDetail[] {
    const more = this.count - this.details.length;
    if (more === 0) return this.details;
    return [...this.details, { path: [], message: `and ${more} more` }];
  }
}

/**
 * If a name is repeated, the last value applies. Numbers must be plain digits: a sign, space, exponent or
 * other base is invalid (D-number-form).
 */
export function parseQuery(schema: Schema, search: string): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(search)) {
    const isNumber = innermost(findChildSchema(schema, name)) instanceof z.ZodNumber;
    values[name] = isNumber && !/^\d+(\.0+)?$/.test(text) ? Number.NaN : text;
  }
  return values;
}

function innermost(schema: Schema | undefined): Schema | undefined {
  let current = schema;
  while (current) {
    const inner = unwrapSchema(current);
    if (!inner) break;
    current = inner;
  }
  return current;
}

/** Replaces the issue of a union with the issues of the union's closest member. */
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
  return issue.path.length > 0 && readValue(value, issue.path) === undefined;
}

function readValue(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== "object" || current === null) return undefined;
    current = Object.hasOwn(current, part) ? Reflect.get(current, part) : undefined;
  }
  return current;
}

/** Returns the rule of a check that concerns several fields, such as "one of these is required". */
function ruleOfIssue(issue: z.core.$ZodIssue): string | undefined {
  const rule: unknown = issue.code === "custom" ? issue.params?.["rule"] : undefined;
  return typeof rule === "string" ? rule : undefined;
}

/** If the problem has no rule, returns the rule of the innermost schema that has one. */
function findIssueRule(issue: z.core.$ZodIssue, schema: Schema, value: unknown): string {
  if (issue.code === "unrecognized_keys") return "D-strict";
  const own = ruleOfIssue(issue);
  if (own !== undefined) return own;
  // A missing field violates the schema of its object, because the field itself has no value.
  const path = isMissing(issue, value) ? issue.path.slice(0, -1) : issue.path;
  let current: Schema | undefined = findUnionMember(schema, value);
  let rule = findLayerRule(current) ?? findLayerRule(schema);
  for (const part of path) {
    current = current && findChildSchema(current, part);
    if (!current) break;
    rule = findLayerRule(current) ?? rule;
  }
  return rule ?? "public.errors.1";
}

function findUnionMember(schema: Schema, value: unknown): Schema {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema;
  const { discriminator } = schema.def;
  const discriminatorValue = readValue(value, [discriminator]);
  const isMatchingMember = (member: Schema) => {
    const field = findChildSchema(member, discriminator);
    return field !== undefined && z.safeParse(field, discriminatorValue).success;
  };
  return schema.options.find(isMatchingMember) ?? schema;
}

/** Also looks inside wrappers (optional, nullable, default). */
function findLayerRule(schema: Schema): string | undefined {
  let current: Schema | undefined = schema;
  while (current) {
    const rule = findRule(current);
    if (rule) return rule;
    current = unwrapSchema(current);
  }
  return undefined;
}

function unwrapSchema(schema: Schema): Schema | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return schema.unwrap();
  }
  return undefined;
}

function findChildSchema(schema: Schema, part: PropertyKey): Schema | undefined {
  let current: Schema | undefined = schema;
  while (current) {
    if (current instanceof z.ZodObject) return findFieldSchema(current, String(part));
    if (current instanceof z.ZodArray) return current.element;
    current = unwrapSchema(current);
  }
  return undefined;
}
