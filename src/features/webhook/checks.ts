import { createHash, timingSafeEqual } from "node:crypto";
import { parseJsonSafely } from "../../base/json.js";
import { type Check, findHeader, findHeaders, type Header, type Received } from "./exchange.js";

export type Auth =
  | { type: "none" }
  | { type: "bearer"; secret: string }
  | { type: "basic"; username: string; secret: string }
  | { type: "api_key"; headerName: string; secret: string };

export interface Expected {
  /** If undefined, any authentication passes, with the result "not checked". */
  auth: Auth | undefined;
  /** If `value` is defined, it must match exactly. */
  headers: readonly { name: string; value: string | undefined }[];
}

/** Also returns the checks that passed. */
export function checkRequest(request: Received, expected: Expected): Check[] {
  return [
    checkMethod(request),
    checkAuth(request.headers, expected.auth),
    ...expected.headers.map((header) => checkHeader(request.headers, header)),
    checkContentType(request.headers),
    checkBody(request.body),
  ];
}

function checkMethod({ method }: Received): Check {
  return { name: "method", ok: method === "POST", result: method, refusal: 405 };
}

function checkAuth(headers: readonly Header[], auth: Auth | undefined): Check {
  const name = "auth";
  if (auth === undefined) return { name, ok: true, result: "not checked" };
  if (auth.type === "none") {
    const present = findHeader(headers, "authorization") !== undefined;
    return { name, ok: true, result: present ? "sent, but not required" : "none" };
  }
  const header = auth.type === "api_key" ? auth.headerName : "Authorization";
  const values = findHeaders(headers, header);
  const refusal = 401;
  if (values.length === 0) return { name, ok: false, result: "missing", refusal };
  // Refuse a repeated header, because some receivers use the first value and some use the last value.
  if (values.length > 1)
    return { name, ok: false, result: `${header} was sent ${values.length} times`, refusal };
  const [value = ""] = values;
  const problem =
    auth.type === "api_key" ? findSecretProblem(value, auth.secret) : findSchemeProblem(value, auth);
  return problem === undefined
    ? { name, ok: true, result: "ok" }
    : { name, ok: false, result: problem, refusal };
}

/** Schemes such as `Bearer` are case-insensitive (RFC 9110). */
function findSchemeProblem(
  value: string,
  auth: Exclude<Auth, { type: "none" | "api_key" }>,
): string | undefined {
  const [, scheme = "", credential = ""] = /^(\S+) +(\S.*)$/.exec(value) ?? [];
  if (scheme.toLowerCase() !== auth.type) return `no ${auth.type} credentials`;
  const expected =
    auth.type === "bearer"
      ? auth.secret
      : Buffer.from(`${auth.username}:${auth.secret}`, "utf8").toString("base64");
  return findSecretProblem(credential.trim(), expected);
}

function findSecretProblem(value: string, expected: string): string | undefined {
  return isEqual(value, expected) ? undefined : "wrong";
}

function isEqual(left: string, right: string): boolean {
  // Compare in constant time, because the duration could reveal the secret.
  const digest = (text: string) => createHash("sha256").update(text, "utf8").digest();
  return timingSafeEqual(digest(left), digest(right));
}

function checkHeader(
  headers: readonly Header[],
  { name, value }: { name: string; value: string | undefined },
): Check {
  const values = findHeaders(headers, name);
  const refusal = 400;
  if (values.length === 0) return { name: "header", ok: false, result: `${name} is missing`, refusal };
  const ok = value === undefined || values.some((candidate) => isEqual(candidate, value));
  return ok
    ? { name: "header", ok, result: name }
    : { name: "header", ok, result: `${name} has a different value`, refusal };
}

/** Never fails, because the API documents specify no content type. */
function checkContentType(headers: readonly Header[]): Check {
  return { name: "content type", ok: true, result: findHeader(headers, "content-type") ?? "none" };
}

function checkBody(body: Buffer): Check {
  const result =
    body.length === 0 ? "empty" : parseJsonSafely(body.toString("utf8")) === undefined ? "not JSON" : "JSON";
  return { name: "body", ok: true, result };
}

/** Returns the HTTP status for the refusal; undefined to accept the request. */
export function findRefusal(checks: readonly Check[]): number | undefined {
  // Don't reveal to an unauthorized client which other checks failed.
  const failed = checks.filter(({ ok }) => !ok);
  return (failed.find(({ name }) => name === "auth") ?? failed[0])?.refusal;
}

export function createAuthHeader(auth: Auth): Header | undefined {
  switch (auth.type) {
    case "none":
      return undefined;
    case "bearer":
      return ["Authorization", `Bearer ${auth.secret}`];
    case "basic":
      return [
        "Authorization",
        `Basic ${Buffer.from(`${auth.username}:${auth.secret}`, "utf8").toString("base64")}`,
      ];
    case "api_key":
      return [auth.headerName, auth.secret];
  }
}
