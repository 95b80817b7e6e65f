import * as z from "zod";
import { describeIssue, toIssuePath } from "../../base/describe-issue.js";
import { ExactNumber } from "../../base/exact-json.js";
import type { ErrorDetail } from "../../client/errors.js";
import { documentedOnly } from "../../contract/assumed.js";
import type { Schema } from "../../contract/operation.js";
import { usageError } from "../errors/errors.js";
import type { FieldFlag } from "./field-flags.js";

export function findFlag(
  flags: readonly FieldFlag[],
  path: readonly (string | number)[],
): string | undefined {
  const fieldFlag = flags.find(({ field }) => field.name === path[0]);
  return fieldFlag && (path.length === 1 || fieldFlag.flag.repeatable)
    ? `--${fieldFlag.flag.name}`
    : undefined;
}

const anyId = "0".repeat(24);

/**
 * Checks documented constraints, but not constraints that voxctl only assumes.
 * @param named fields whose flags accept a name or an ID; names are looked up later
 * @throws usage error (2) whose message names the flags
 */
export function checkDocumented(
  schema: Schema | undefined,
  value: Readonly<Record<string, unknown>>,
  flags: readonly FieldFlag[],
  named: ReadonlySet<string> = new Set(),
): void {
  if (!schema) return;
  const looked = { ...value };
  for (const { field, reference } of flags) {
    if (reference && named.has(field.name)) looked[field.name] = toPlaceholderId(value[field.name]);
  }
  // Use `jitless`: for one check, compiling the schema takes longer than interpreting it.
  const result = z.safeParse(documentedOnly(schema), looked, { error: describeIssue, jitless: true });
  if (result.success) return;
  const details = result.error.issues.map((issue): ErrorDetail & { flag?: string } => {
    const path = toIssuePath(issue.path);
    const flag = findFlag(flags, path);
    const message = isBareNumber(issue, looked) ? "must be text: put the value in quotes" : issue.message;
    // The flag accepts a name, but the user set the field with --set or --data, which require an ID.
    const isSetById = flags.some(
      ({ field, reference }) => reference && field.name === path[0] && !named.has(field.name),
    );
    if (flag !== undefined && isSetById && value[String(path[0])] !== undefined)
      return { path, message: `${message}; to specify a name, use ${flag}` };
    return { path, message, ...(flag === undefined ? {} : { flag }) };
  });
  const [first] = details;
  const name = first?.flag ?? first?.path.join(".");
  throw usageError(
    details.length === 1 && first ? `${name ? `${name}: ` : ""}${first.message}` : "invalid input",
    { details },
  );
}

/** Replaces a string, which may be a name, with a valid ID before validation. Keeps all other values. */
function toPlaceholderId(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(toPlaceholderId);
  return typeof given === "string" ? anyId : given;
}

/** YAML parses an unquoted phone number as a number, without its plus sign. */
function isBareNumber(issue: z.core.$ZodIssue, root: unknown): boolean {
  if (issue.code !== "invalid_type" || issue.expected !== "string") return false;
  let value: unknown = root;
  for (const part of issue.path) {
    value = typeof value === "object" && value !== null ? Reflect.get(value, part) : undefined;
  }
  return typeof value === "number" || value instanceof ExactNumber;
}
