import { extname, resolve } from "node:path";
import { describeFsError } from "../../base/describe-fs-error.js";
import { parseExactJson } from "../../base/exact-json.js";
import { type Fields, isFields } from "../../base/fields.js";
import { findRepeatedKey } from "../../base/repeated-keys.js";
import { withoutSignalListeners } from "../../base/signals.js";
import { findLostLetters, lostLettersReason, readUtf8, readUtf8Stream } from "../../base/utf8.js";
import { usageError } from "../errors/errors.js";
import type { Flag, Input } from "../session/input.js";
import type { Session } from "../session/session.js";
import { readText } from "../session/text-source.js";

export const bodyFlags: readonly Flag[] = [
  {
    name: "data",
    value: "@file|@-|json",
    description: "Request body; flags override its fields; a file can be JSON or YAML",
  },
  {
    name: "set",
    value: "key=value",
    description: "Set a field by its dotted path; JSON values are parsed, @file and @- are read as text",
    repeatable: true,
  },
];

/** Reads the value of `--data`: `@file`, `@-` for standard input, or inline JSON. @throws usage error (2) */
export async function readData(value: string, session: Pick<Session, "io">): Promise<unknown> {
  if (!value.startsWith("@")) return parseJson(value, "--data");
  const name = value.slice(1);
  if (name === "-") {
    const input = await readUtf8Stream(session.io.stdin, "--data @-");
    // Only the start distinguishes YAML fields, such as the output of `-o yaml`, from JSON.
    return /^(?:\s*#.*\n|---[ \t]*\n)*["']?[\w-]+["']?:(?:\s|$)/.test(input)
      ? parseYaml(input, "--data @-")
      : parseJson(input, "--data @-");
  }
  const source = `--data ${value}`;
  let text: string;
  try {
    text = await readUtf8(resolve(session.io.cwd, name));
  } catch (error) {
    throw usageError(`${source}: the file can't be read: ${describeFsError(error)}`, { cause: error });
  }
  return [".yaml", ".yml"].includes(extname(name).toLowerCase())
    ? parseYaml(text, source)
    : parseJson(text, source);
}

function parseJson(text: string, source: string): unknown {
  let value: unknown;
  try {
    value = withoutSignalListeners(() => parseExactJson(text));
  } catch (error) {
    throw usageError(`${source} is not valid JSON: ${error instanceof Error ? error.message : ""}`, {
      cause: error,
    });
  }
  assertKeysOnce(text, value, source);
  return value;
}

/** @throws usage error (2) for a duplicate key in a JSON object */
function assertKeysOnce(text: string, value: unknown, source: string): void {
  const repeated = withoutSignalListeners(() => findRepeatedKey(text, value));
  if (repeated !== undefined) throw usageError(`${source}: duplicate key "${repeated}"`);
}

async function parseYaml(text: string, source: string): Promise<unknown> {
  const { parseYaml: parse, describeYamlError } = await import("../../base/yaml-text.js");
  try {
    return parse(text);
  } catch (error) {
    throw usageError(`${source} is not valid YAML: ${describeYamlError(error)}`, { cause: error });
  }
}

/**
 * Combines `--data`, flags and `--set`. Flags replace fields of `--data`, and `--set` replaces both.
 * @param readOnly fields that `get` shows but the service doesn't accept; they are removed from `--data`
 * @param readExisting reads the resource. A PATCH replaces a whole field, so a path into the field changes a copy
 * of its existing value
 * @throws usage error (2)
 */
export async function readBody(
  input: Input,
  fields: ReadonlyMap<string, unknown>,
  session: Pick<Session, "io" | "notes">,
  readOnly: readonly string[] = [],
  readExisting?: () => Promise<Fields>,
): Promise<Fields> {
  const data = input.text("data");
  const body = data === undefined ? {} : await readData(data, session);
  if (!isFields(body))
    throw usageError(
      `--data${data?.startsWith("@") ? ` ${data}` : ""} must be an object, not ${describeType(body)}`,
    );
  const omitted = readOnly.filter((name) => Object.hasOwn(body, name));
  if (omitted.length > 0) session.notes.note(`--data: ignoring read-only fields: ${omitted.join(", ")}`);
  for (const name of omitted) Reflect.deleteProperty(body, name);
  for (const [name, value] of fields) setField(body, [name], value);
  const completed = new Set<string>();
  for (const assignment of input.texts("set")) {
    const name = await applySet(body, assignment, session, readExisting);
    if (name !== undefined) completed.add(name);
  }
  for (const name of completed) assertNotMasked(name, body[name]);
  assertWholeText(body);
  return body;
}

/** @throws usage error (2) for a masked header value: sent back, it would replace the real value */
function assertNotMasked(name: string, value: unknown): void {
  const path = name === "headers" ? name : `${name}.headers`;
  const headers = name === "headers" ? value : isFields(value) ? value["headers"] : undefined;
  if (!isFields(headers)) return;
  const masked = Object.keys(headers).find((header) => /[*•●]{3}/.test(String(headers[header])));
  if (masked === undefined) return;
  throw usageError(`--set: the service masks the value of ${path}.${masked}, so it can't be kept`, {
    hint: `to send its value again, also use --set ${path}.${masked}=VALUE`,
  });
}

/** @throws usage error (2) that names the field if a string or a field name contains U+FFFD */
export function assertWholeText(body: unknown): void {
  const lost = findLostLetters(body);
  if (lost === undefined) return;
  throw usageError(`${lost.length === 0 ? "the body" : lost.join(".")} ${lostLettersReason}`);
}

function describeType(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (value === null || value === undefined) return "nothing";
  return typeof value === "string" ? "a text" : `a ${typeof value}`;
}

/** @returns the name of a field that was completed with its existing value */
async function applySet(
  body: Fields,
  assignment: string,
  session: Pick<Session, "io">,
  readExisting?: () => Promise<Fields>,
): Promise<string | undefined> {
  const equals = assignment.indexOf("=");
  const path = assignment.slice(0, equals).split(".");
  if (equals < 1 || path.includes("")) throw usageError(`invalid --set "${assignment}": expected key=value`);
  const text = assignment.slice(equals + 1);
  let value: unknown = text;
  if (text.startsWith("@")) value = await readText(text, `--set ${path.join(".")}`, session);
  else
    try {
      value = parseExactJson(text);
    } catch {
      // Treat a value that is not JSON as text.
    }
  if (typeof value === "object") assertKeysOnce(text, value, `--set ${path.join(".")}`);
  const [name = "", ...inner] = path;
  if (inner.length > 0 && readExisting !== undefined && !Object.hasOwn(body, name)) {
    const existing = await readExisting();
    if (Object.hasOwn(existing, name)) {
      setField(body, [name], existing[name]);
      setField(body, path, value);
      return name;
    }
  }
  setField(body, path, value);
  return undefined;
}

/**
 * Copies the objects and lists on the path, because YAML aliases can share them. Any name is allowed, even
 * `__proto__`.
 */
function setField(target: Fields, path: readonly string[], value: unknown): Fields {
  const [name = "", ...innerPath] = path;
  const existing = Object.hasOwn(target, name) ? target[name] : undefined;
  const inner =
    innerPath.length === 0
      ? value
      : Array.isArray(existing)
        ? setElement(existing, innerPath, value)
        : setField(isFields(existing) ? { ...existing } : {}, innerPath, value);
  Object.defineProperty(target, name, { value: inner, enumerable: true, configurable: true, writable: true });
  return target;
}

function setElement(target: readonly unknown[], path: readonly string[], value: unknown): unknown[] {
  const [name = "", ...innerPath] = path;
  const index = Number(name);
  if (!/^\d+$/.test(name) || index > target.length)
    throw usageError(`invalid index "${name}" in --set: expected 0 to ${target.length}`);
  const copy = [...target];
  const existing = copy[index];
  copy[index] =
    innerPath.length === 0
      ? value
      : Array.isArray(existing)
        ? setElement(existing, innerPath, value)
        : setField(isFields(existing) ? { ...existing } : {}, innerPath, value);
  return copy;
}
