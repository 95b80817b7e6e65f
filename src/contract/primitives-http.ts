import * as z from "zod";
import { assumed, ruled } from "./assumed.js";
import { connectionHeaders } from "./connection-headers.js";
import { isWholeText } from "./primitives.js";

type StringMap = Record<string, string>;
type Issue = (path: string[], message: string) => void;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * An object with any keys, returned without a copy. A record schema would create a copy that lacks the key
 * `__proto__` (public.general.5b, D-strict).
 */
export const CallerObject = ruled(
  "public.general.5b",
  z
    .unknown()
    .refine((value): value is Record<string, unknown> => isObject(value), "must be an object")
    .meta({ type: "object", additionalProperties: true }),
);

// A token as defined in RFC 9110 (D-webhook).
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

// Headers that apply to a single connection (RFC 9110, 7.6.1) or that HTTP clients set (D-webhook).
const refusedNames = new Set(["authorization", ...connectionHeaders]);

function headerNameProblem(name: string): string | undefined {
  if (!token.test(name)) return "must be a header name: letters, digits and - _ . ~ only";
  if (refusedNames.has(name.toLowerCase()))
    return "is a header that is set automatically and can't be set here";
  return undefined;
}

/** Name of a header that a client is allowed to set (D-webhook). */
export const HeaderName = assumed(
  "D-webhook",
  z.string("must be a header name").superRefine((name, context) => {
    const message = headerNameProblem(name);
    if (message) context.addIssue({ code: "custom", message });
  }),
  z.string("must be text"),
);

function headersProblem(value: unknown): string {
  const [name, entry] =
    (isObject(value) && Object.entries(value).find(([, text]) => typeof text !== "string")) || [];
  if (name === undefined) return "must be an object that maps header names to text";
  const isScalar = typeof entry === "number" || typeof entry === "boolean";
  return `the value of ${name} must be text${isScalar ? ": put it in quotes" : ""}`;
}

/** Maximum number of custom headers. Most servers refuse more (D-webhook). */
const maximumHeaders = 100;

function isStringMap(value: unknown): value is StringMap {
  return isObject(value) && Object.values(value).every((entry) => typeof entry === "string");
}

function reportHeaders(headers: StringMap, report: Issue): void {
  for (const [name, value] of Object.entries(headers)) {
    const problem = headerNameProblem(name);
    if (problem) report([name], problem);
    if (/[\u0000-\u001f\u007f]/.test(value)) report([name], "must not contain control characters");
  }
}

const headerMap = z
  .unknown()
  .refine(isStringMap, { error: ({ input }) => headersProblem(input) })
  .meta({ type: "object", additionalProperties: { type: "string" } });

/** Names are stored unchanged (public.general.5b, D-webhook). */
export const HeaderMap = assumed(
  "D-webhook",
  headerMap
    .superRefine((value, context) => {
      // `headerMap` has already reported the problem.
      if (!isStringMap(value)) return;
      if (Object.keys(value).length > maximumHeaders)
        context.addIssue({ code: "custom", message: "must contain at most 100 headers" });
      reportHeaders(value, (path, message) => context.addIssue({ code: "custom", path, message }));
    })
    .meta({ type: "object", additionalProperties: { type: "string" }, maxProperties: maximumHeaders }),
  headerMap,
);

// D-webhook
function urlProblem(text: string): string | undefined {
  if (text.length > 2048) return "must be at most 2,048 characters";
  // The URL parser alone would accept white space, control characters and a missing `//`.
  if (/[\s\u0000-\u001f\u007f]/.test(text)) return "must not contain white space or control characters";
  if (!/^https?:\/\/./i.test(text) || !isWholeText(text) || !URL.canParse(text)) {
    return "must be an absolute URL: http://… or https://…";
  }
  const { username, password } = new URL(text);
  return username === "" && password === "" ? undefined : "must not contain a user name or password";
}

/** A URL to which the service sends requests (D-webhook). */
export const HttpUrl = assumed(
  "D-webhook",
  z
    .string("must be a URL")
    .superRefine((text, context) => {
      const message = urlProblem(text);
      if (message) context.addIssue({ code: "custom", message });
    })
    .meta({ format: "uri", maxLength: 2048 }),
  z.string("must be text"),
);
