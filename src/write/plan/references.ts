/**
 * Placeholders in a step stand for values that are known only when the step is applied:
 * - `{"$ref": 3}` is the ID of the resource that step 3 creates
 * - `{"$ref": 3, "field": "phone_number"}` is another field of that resource
 * - `{"$secret": "tools/crm"}` is a secret that the user provides
 * - `{"$text": ["Hello, ", {"$secret": "env:NAME"}]}` is a string that contains a secret
 */
import { mapInner } from "../../base/fields.js";
import type { PlanStep } from "./format.js";

type Placeholder = { ref: number; field: string } | { secret: string };

function placeholderOf(value: unknown): Placeholder | undefined {
  if (!isObject(value)) return undefined;
  if ("$ref" in value && typeof value.$ref === "number") {
    const field = "field" in value && typeof value.field === "string" ? value.field : "id";
    return { ref: value.$ref, field };
  }
  return "$secret" in value && typeof value.$secret === "string" ? { secret: value.$secret } : undefined;
}

export function textPartsOf(value: unknown): readonly unknown[] | undefined {
  return isObject(value) && "$text" in value && Array.isArray(value.$text) ? value.$text : undefined;
}

function* placeholdersIn(value: unknown): Generator<Placeholder, void> {
  const placeholder = placeholderOf(value);
  if (placeholder !== undefined) yield placeholder;
  else if (isObject(value))
    for (const inner of Object.values(value)) if (isObject(inner)) yield* placeholdersIn(inner);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

export function referencesOf({
  path,
  body,
  needs = [],
}: Pick<PlanStep, "path" | "body" | "needs">): number[] {
  const references = [...placeholdersIn([path, body])].flatMap((placeholder) =>
    "ref" in placeholder ? [placeholder.ref] : [],
  );
  return [...new Set([...references, ...needs])];
}

export function secretsIn(value: unknown): string[] {
  const names = [...placeholdersIn(value)].flatMap((placeholder) =>
    "secret" in placeholder ? [placeholder.secret] : [],
  );
  return [...new Set(names)];
}

export interface Fillings {
  reference(step: number, field: string): unknown;
  secret(name: string): unknown;
}

export function fillPlaceholders(value: unknown, fillings: Fillings): unknown {
  const placeholder = placeholderOf(value);
  if (placeholder !== undefined) {
    return "ref" in placeholder
      ? fillings.reference(placeholder.ref, placeholder.field)
      : fillings.secret(placeholder.secret);
  }
  const parts = textPartsOf(value);
  if (parts !== undefined) {
    const texts = parts.map((part) => fillPlaceholders(part, fillings));
    return texts.includes(undefined) ? undefined : texts.join("");
  }
  return mapInner(value, (inner) => fillPlaceholders(inner, fillings));
}

/** Fields without placeholders can be compared before the plan is applied. */
export function plainFields(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => !isObject(value) || placeholdersIn(value).next().done),
  );
}
