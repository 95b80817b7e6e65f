import * as z from "zod";
import { findDecision } from "../../contract/assumed.js";
import { findFieldSchema } from "../../contract/field-schema.js";
import type { MirrorResource } from "../../contract/mirror.js";
import type { Schema } from "../../contract/operation.js";
import type { EmulatorState } from "../emulator-state.js";
import { parseWith } from "../validation.js";
import type { RawRecord } from "./conversions.js";

export interface Contract {
  listed: Schema | undefined;
  shown: Schema | undefined;
  created: Schema | undefined;
}

/** Records fields that the contract doesn't define, and decisions that the data contradicts. */
export function judgeRecord(
  state: EmulatorState,
  resource: MirrorResource,
  raw: RawRecord,
  contract: Contract,
  view: "listed" | "shown",
): void {
  if (fits(raw, contract[view], contract.created)) return;
  for (const [field, value] of Object.entries(raw)) {
    const schema = findFieldSchema(contract[view], field);
    if (schema === undefined) storeField(state, resource, field);
    else storeProblem(state, resource, raw, field, findProblem(schema, value));
    const taken = findFieldSchema(contract.created, field);
    if (taken === undefined || value === null) continue;
    storeProblem(state, resource, raw, field, findProblem(taken, value));
    for (const path of findUnknownPaths(taken, value)) storeField(state, resource, `${field}.${path}`);
  }
  for (const [field, schema] of Object.entries(findShape(contract[view]))) {
    const decision = findDecision(schema);
    if (decision !== undefined && !(field in raw) && !isOptional(schema))
      storeProblem(state, resource, raw, field, { decision, message: "is not returned" });
  }
}

export function judgeText(
  state: EmulatorState,
  resource: MirrorResource,
  raw: RawRecord,
  field: string,
  schema: Schema,
): void {
  const value = raw[field];
  if (typeof value === "string") storeProblem(state, resource, raw, field, findProblem(schema, value));
}

/** Most resources have no problems, so the slow search is rarely needed. */
function fits(raw: RawRecord, shown: Schema | undefined, created: Schema | undefined): boolean {
  if (!(shown instanceof z.ZodObject)) return false;
  for (const field in raw) if (!Object.hasOwn(shown.shape, field)) return false;
  return (
    isAcceptedUnchanged(shown, raw) &&
    (created === undefined || isAcceptedUnchanged(optionalFields(created), raw))
  );
}

function isAcceptedUnchanged(schema: Schema, raw: RawRecord): boolean {
  const parsed = z.safeParse(schema, raw);
  if (!parsed.success) return false;
  for (const [field, value] of Object.entries(Object(parsed.data)))
    if (typeof value === "string" && value !== raw[field]) return false;
  return true;
}

const withOptionalFields = new WeakMap<Schema, Schema>();

/** A resource may lack fields of a create request or have null values. */
function optionalFields(created: Schema): Schema {
  const known = withOptionalFields.get(created);
  if (known) return known;
  const fields = Object.entries(findShape(created)).map(([name, schema]) => [name, z.nullish(schema)]);
  const made = z.object(Object.fromEntries(fields));
  withOptionalFields.set(created, made);
  return made;
}

interface Problem {
  decision: string;
  message: string;
}

function findProblem(schema: Schema, value: unknown): Problem | undefined {
  const parsed = parseWith(schema, value);
  if (!parsed.ok) {
    const { rule, details } = parsed.problems;
    // `findUnknownPaths` returns the fields that contradict D-strict.
    return rule.startsWith("D-") && rule !== "D-strict"
      ? { decision: rule, message: details[0]?.message ?? "" }
      : undefined;
  }
  // The emulator would change this text, for example trim it, but the service stored it unchanged. This
  // contradicts the decision behind the change.
  const decision =
    typeof value === "string" && parsed.value !== value ? findDecision(unwrapSchema(schema)) : undefined;
  return decision === undefined ? undefined : { decision, message: "would be normalized when stored" };
}

/** Returns paths such as `auth.realm`, without list indices. */
function findUnknownPaths(schema: Schema, value: unknown): string[] {
  const parsed = z.safeParse(schema, value);
  return (parsed.error?.issues ?? []).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => [...issue.path.filter((part) => typeof part === "string"), key].join("."))
      : [],
  );
}

function findShape(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

function unwrapSchema(schema: Schema): Schema {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrapSchema(schema.unwrap());
  return schema;
}

function isOptional(schema: Schema): boolean {
  return schema instanceof z.ZodOptional;
}

function storeField(state: EmulatorState, resource: MirrorResource, field: string): void {
  state.database
    .prepare("INSERT INTO mirror_fields (resource, field) VALUES (?, ?) ON CONFLICT DO NOTHING")
    .run(resource, field);
}

/** Stores only the first resource's ID as the example, because values of fields may be personal data. */
function storeProblem(
  state: EmulatorState,
  resource: MirrorResource,
  raw: RawRecord,
  field: string,
  problem: Problem | undefined,
): void {
  if (problem === undefined) return;
  state.database
    .prepare("INSERT INTO mirror_contradictions (decision, example) VALUES (?, ?) ON CONFLICT DO NOTHING")
    .run(problem.decision, `${resource} ${String(raw["id"])}: ${field} ${problem.message}`);
}
