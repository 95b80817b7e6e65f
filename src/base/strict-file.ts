// Reads handwritten files and reports all errors with line numbers.

import * as z from "zod";
import { toIssuePath } from "./describe-issue.js";
import { parseDurationText } from "./duration.js";
import { InputError } from "./input-error.js";
import { createSuggester } from "./suggestions.js";
import { findLostLetters, lostLettersReason } from "./utf8.js";
import { replaceVariables } from "./variables.js";
import type { Position } from "./yaml-text.js";

type Path = readonly (string | number)[];

export interface Problem {
  path: Path;
  message: string;
  key?: string | undefined;
}

export interface StrictFile {
  readonly value: unknown;
  readonly problems: Problem[];
  /** Returns the content. If the content is invalid, adds the reasons to `problems` and returns undefined. */
  parse<Schema extends z.ZodType>(schema: Schema): z.output<Schema> | undefined;
  /** Returns the first line of the value at a path, counted from 1. */
  lineOf(path: Path): number | undefined;
  failure(): InputError;
}

/**
 * @param options.describePath formats a path for messages (default: the path itself)
 * @throws usage error (2) if the file is not YAML
 */
export async function openStrictFile(
  content: string,
  {
    file,
    env,
    describePath = (path) => path.join("."),
    showsColumns = false,
  }: {
    file: string;
    showsColumns?: boolean;
    /** Values for `${NAME}` in strings. If undefined, variables are not replaced. */
    env?: Readonly<Record<string, string | undefined>>;
    describePath?: (path: Path, value: unknown) => string;
  },
): Promise<StrictFile> {
  const { parseYamlWithLines, describeYamlError } = await import("./yaml-text.js");
  let document: ReturnType<typeof parseYamlWithLines>;
  try {
    document = parseYamlWithLines(content);
  } catch (error) {
    throw new InputError(`${file} is not valid YAML: ${describeYamlError(error)}`, { cause: error });
  }
  const problems: Problem[] = [];
  const value =
    env === undefined
      ? document.value
      : replaceVariables(document.value, env, (path, message) => problems.push({ path, message }));
  const lost = findLostLetters(value);
  if (lost !== undefined) problems.push({ path: lost, message: lostLettersReason });
  return {
    value,
    problems,
    lineOf: document.lineOf,
    parse(schema) {
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      const isReported = ({ path }: Problem) =>
        problems.some((problem) => problem.path.join(".") === path.join("."));
      // If a string contains an unset variable, don't also report that the string is invalid.
      problems.push(...toProblems(parsed.error).filter((problem) => !isReported(problem)));
      return undefined;
    },
    failure: () => failure(file, problems, document, { describePath, showsColumns }),
  };
}

function toProblems({ issues }: z.ZodError): Problem[] {
  return issues.flatMap((issue): Problem[] => {
    const path = toIssuePath(issue.path);
    if (issue.code !== "unrecognized_keys") return [{ path, message: issue.message }];
    return issue.message.split("\n").map((message, index) => ({ path, message, key: issue.keys[index] }));
  });
}

interface Positions {
  value: unknown;
  positionOf(path: Path): Position | undefined;
  keyPositionOf(path: Path): Position | undefined;
}

function failure(
  file: string,
  problems: readonly Problem[],
  document: Positions,
  {
    describePath,
    showsColumns,
  }: { describePath: (path: Path, value: unknown) => string; showsColumns: boolean },
): InputError {
  const located = problems.map((problem) => {
    const { path, key } = problem;
    return {
      ...problem,
      position: findProblemPosition(key === undefined ? path : [...path, key], document),
    };
  });
  located.sort((left, right) => (left.position?.line ?? 0) - (right.position?.line ?? 0));
  const details = located.map(({ path, message, position }) => {
    const column = showsColumns ? `, column ${position?.column}` : "";
    return {
      path: [...path],
      message: `${message}${position === undefined ? "" : ` (line ${position.line}${column})`}`,
      flag: describePath(path, document.value),
    };
  });
  const [first] = details;
  return new InputError(
    details.length === 1 && first
      ? `${file}: ${[first.flag, first.message].filter((part) => part !== "").join(": ")}`
      : `${file} has ${details.length} errors`,
    { details: details.length === 1 ? [] : details },
  );
}

/** For a missing field, returns the position of its parent. */
function findProblemPosition(path: Path, positions: Positions): Position | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    const position = positions.keyPositionOf(part) ?? positions.positionOf(part);
    if (position !== undefined) return position;
  }
  return undefined;
}

/** A string. Some strings must be quoted: YAML parses +4930 as a number and loses the plus sign. */
export const text = z
  .string({
    error: ({ input }) =>
      typeof input === "number" ? "must be text: put the value in quotes" : "must be text",
  })
  .trim()
  .min(1, "is empty");

export const scalar = z
  .union([z.string(), z.number(), z.boolean()], "must be a single value")
  .transform((value) => String(value));

/** A duration such as `90s`, converted to milliseconds. */
export const duration = z
  .union([z.string(), z.number()], "must be a duration such as 90s, 1.5m or 1h")
  .transform((value, context) => {
    const milliseconds = parseDurationText(String(value));
    if (milliseconds !== undefined) return milliseconds;
    context.issues.push({
      code: "custom",
      input: value,
      message: `invalid duration "${value}": expected a value such as 90s, 1.5m or 1h`,
    });
    return z.NEVER;
  });

export function fields<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => describeUnknownKey(key, Object.keys(shape))).join("\n")
        : `must be a mapping with the fields ${names}`,
  });
}

function describeUnknownKey(key: string, names: readonly string[]): string {
  const suggester = createSuggester(key);
  for (const name of names) suggester.consider(name);
  const suggestion = suggester.suggestion === undefined ? "" : `; did you mean ${suggester.suggestion}?`;
  return `"${key}" is not one of ${names.join(", ")}${suggestion}`;
}

/** Returns the schema for a list; a single value counts as a list of one. */
export function several<Inner extends z.ZodType>(inner: Inner) {
  return z
    .unknown()
    .transform((value) => (Array.isArray(value) ? value : [value]))
    .pipe(z.array(inner).min(1, "is empty"));
}
