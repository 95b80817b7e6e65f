import type * as z from "zod";

const typeNames: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "text",
};

/** Returns undefined if Zod's own message is good enough. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return typeNames[issue.expected] && `must be ${typeNames[issue.expected]}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return issue.format === "datetime" ? "must be a time like 2026-12-24T18:00:00Z" : undefined;
    case "too_small":
      if (issue.origin === "string") return "is too short or empty";
      return `must be ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "string") return `is longer than ${issue.maximum} characters`;
      return `must be ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
    default:
      return undefined;
  }
}
