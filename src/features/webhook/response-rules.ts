import * as z from "zod";
import { ExactNumber, parseExactJson, stringifyExactJson } from "../../base/exact-json.js";
import { findPattern } from "../../base/find-pattern.js";
import { duration, fields, openStrictFile } from "../../base/strict-file.js";
import { fillTemplates, findValue, type Subject } from "./template.js";

/** A value to match exactly, or a pattern such as `/^\+49/`. */
type Condition = { pattern: RegExp } | { equals: string | number | boolean | null };

/** voxctl reads `file` again for each request. */
interface ResponseSpec {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: { json: unknown } | { text: string } | { file: string };
  delayMilliseconds: number;
}

export interface ResponseRules {
  rules: readonly {
    when: readonly (readonly [name: string, condition: Condition])[];
    answer: ResponseSpec;
  }[];
  defaultResponse: ResponseSpec | undefined;
}

const Name = z.string().regex(/^(?:path|method|(?:body|header|query)\.\S+)$/);

const Matched = z
  .union([z.string(), z.number(), z.boolean(), z.null()], "must be a value or a /pattern/")
  .transform((value, context): Condition => {
    const written = typeof value === "string" ? /^\/(.+)\/([a-z]*)$/s.exec(value) : null;
    if (!written) return { equals: value };
    try {
      return { pattern: new RegExp(written[1] ?? "", (written[2] ?? "").replace(/[gy]/g, "")) };
    } catch (error) {
      context.issues.push({
        code: "custom",
        input: value,
        message: `invalid pattern: ${error instanceof Error ? error.message : ""}`,
      });
      return z.NEVER;
    }
  });

const ResponseSchema = fields({
  status: z
    .int("must be a status code such as 200")
    .min(200, "must be 200 to 599")
    .max(599, "must be 200 to 599")
    .default(200),
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "invalid header name"),
      z
        .string("must be text")
        .regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, "contains characters that a header can't contain"),
    )
    .default({}),
  json: z.unknown().optional(),
  text: z.string("must be text").optional(),
  file: z.string("must be a file name").min(1, "is empty").optional(),
  delay: duration.default(0),
}).transform((response, context): ResponseSpec => {
  const bodies = (["json", "text", "file"] as const).filter((name) => response[name] !== undefined);
  if (bodies.length > 1) {
    context.issues.push({
      code: "custom",
      input: response,
      message: `conflicting fields: ${bodies.join(" and ")}`,
    });
    return z.NEVER;
  }
  const { status, headers, delay: delayMilliseconds, text, file, json = {} } = response;
  const body = text !== undefined ? { text } : file !== undefined ? { file } : { json };
  return { status, headers, body, delayMilliseconds };
});

const RulesFile = fields({
  version: z.literal(1, "must be 1: newer versions require a newer voxctl"),
  rules: z
    .array(
      fields({
        when: z.record(Name, Matched, {
          error: ({ code }) =>
            code === "invalid_key"
              ? "must be path, method, body.…, header.… or query.…"
              : "must be a mapping of conditions",
        }),
        answer: ResponseSchema,
      }),
      "must be a list",
    )
    .default([]),
  default: ResponseSchema.optional(),
});

/**
 * @param content YAML or JSON
 * @throws InputError with all errors and their lines
 */
export async function parseResponseRules(content: string, file: string): Promise<ResponseRules> {
  const read = await openStrictFile(content, { file });
  const parsed = read.parse(RulesFile);
  if (parsed === undefined) throw read.failure();
  return {
    rules: parsed.rules.map(({ when, answer }) => ({ when: Object.entries(when), answer })),
    defaultResponse: parsed.default,
  };
}

/**
 * Returns the first matching response rule and its number, counted from 1.
 * @throws SlowPatternError
 */
export function findResponseRule(
  { rules }: ResponseRules,
  subject: Subject,
): { response: ResponseSpec; number: number } | undefined {
  const index = rules.findIndex(({ when }) =>
    when.every(([name, condition]) => isMatch(condition, findValue(name, subject))),
  );
  const match = rules[index];
  return match && { response: match.answer, number: index + 1 };
}

function isMatch(condition: Condition, value: unknown): boolean {
  if (value === undefined) return false;
  if (value === null) return "equals" in condition && condition.equals === null;
  if (typeof value === "object" && !(value instanceof ExactNumber)) return false;
  if ("pattern" in condition) return findPattern(condition.pattern, String(value)) !== null;
  if (condition.equals === null) return false;
  // Compare as text: query values are strings, but YAML parses 2 as a number, and rounds long numbers.
  return (
    String(value) === String(condition.equals) ||
    (value instanceof ExactNumber && Number(value) === condition.equals)
  );
}

/** @param unknown called for each template without a value */
export async function renderResponse(
  given: ResponseSpec,
  subject: Subject,
  { readFile, unknown }: { readFile: (file: string) => Promise<string>; unknown: (name: string) => void },
): Promise<{ status: number; headers: [string, string][]; body: Buffer }> {
  const { status } = given;
  const own: [string, string][] = Object.entries(given.headers);
  const typed = (type: string): [string, string][] =>
    own.some(([name]) => name.toLowerCase() === "content-type") ? own : [["content-type", type], ...own];
  if ("text" in given.body) {
    const text = fillTemplates(given.body.text, subject, unknown);
    const body = Buffer.from(typeof text === "string" ? text : stringifyExactJson(text));
    return { status, headers: typed("text/plain; charset=utf-8"), body };
  }
  const json = "file" in given.body ? await jsonFile(given.body.file, readFile) : given.body.json;
  if (typeof json === "string" && "file" in given.body)
    return { status, headers: typed("text/plain; charset=utf-8"), body: Buffer.from(json) };
  const body = Buffer.from(stringifyExactJson(fillTemplates(json, subject, unknown)));
  return { status, headers: typed("application/json"), body };
}

/** Parses a `.json` file. Returns the text of any other file. */
async function jsonFile(file: string, readFile: (file: string) => Promise<string>): Promise<unknown> {
  const content = await readFile(file);
  if (!file.toLowerCase().endsWith(".json")) return content;
  return parseExactJson(content);
}
