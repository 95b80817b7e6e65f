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
 * Returns the message for a missing value or a wrong type. Usage with zod: `safeParse(value, { error:
 * describeIssue })`.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "invalid_type") return undefined;
  if (issue.input === undefined) return "is required";
  const typeName = typeNames[issue.expected];
  return typeName === undefined ? undefined : `must be ${typeName}`;
}

/** @param root returned as the path if the problem concerns the whole value */
export function findFirstIssue(
  { issues: [issue] }: z.core.$ZodError,
  root = "content",
): { path: string; message: string } {
  return { path: issue?.path.join(".") || root, message: issue?.message ?? "" };
}

/** JSON contains no symbols, but the type of an issue's path does. */
export function toIssuePath(path: readonly PropertyKey[]): (string | number)[] {
  return path.map((part) => (typeof part === "symbol" ? String(part) : part));
}
