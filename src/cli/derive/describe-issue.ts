import type * as z from "zod";

const typeNames: Readonly<Record<string, string>> = {
  object: "an object",
  record: "an object",
  array: "a list",
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  null: "null",
};

/**
 * The message about a wrong value, where the contract has none of its own. For `z.safeParse(…, { error: complaint })`.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "invalid_type") return undefined;
  if (issue.input === undefined) return "is required";
  const typeName = typeNames[issue.expected];
  return typeName === undefined ? undefined : `must be ${typeName}`;
}
