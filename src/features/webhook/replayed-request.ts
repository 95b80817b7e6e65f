import { parseExactJson, stringifyExactJson } from "../../base/exact-json.js";
import { isFields } from "../../base/fields.js";
import { InputError } from "../../base/input-error.js";
import type { Capture } from "./capture.js";
import type { Header } from "./exchange.js";

export interface Change {
  path: readonly string[];
  value: unknown;
}

/**
 * Parses a change such as `body.from=+49…`. A value that is not JSON is text.
 * @throws InputError
 */
export function parseChange(text: string): Change {
  const [, path = "", written = ""] = /^body\.([^=]+)=(.*)$/s.exec(text) ?? [];
  if (path === "") throw new InputError(`invalid --set "${text}": expected body.PATH=VALUE`);
  // Treat a phone number as text, because a JSON number would lose the plus sign.
  if (/^\+/.test(written)) return { path: path.split("."), value: written };
  try {
    return { path: path.split("."), value: parseExactJson(written) };
  } catch {
    return { path: path.split("."), value: written };
  }
}

export function replaceCredentials(
  headers: Capture["request"]["headers"],
  credentials: Header | undefined,
): Header[] {
  const own = credentials?.[0].toLowerCase();
  const hasCredentials = headers.some(([name]) => name.toLowerCase() === own);
  const sentHeaders = headers.flatMap(([name, value]): Header[] => {
    if (name.toLowerCase() === own) return credentials ? [[name, credentials[1]]] : [];
    return typeof value === "string" ? [[name, value]] : [];
  });
  return credentials && !hasCredentials ? [...sentHeaders, credentials] : sentHeaders;
}

/** @throws InputError if the body is not JSON, or if a path leads to a missing entry of a list */
export function applyChanges(body: Buffer, changes: readonly Change[], file: string): Buffer {
  if (changes.length === 0) return body;
  let value: unknown;
  try {
    value = parseExactJson(body.toString("utf8"));
  } catch (cause) {
    throw new InputError(`--set: the body of ${file} is not JSON`, { cause });
  }
  for (const { path, value: next } of changes) {
    const missing = () =>
      new InputError(`--set: body.${path.join(".")} does not exist: the list in ${file} has no such entry`);
    value = setValue(value, path, next, missing);
  }
  return Buffer.from(stringifyExactJson(value));
}

function setValue(
  value: unknown,
  [part, ...tail]: readonly string[],
  next: unknown,
  missing: () => InputError,
): unknown {
  if (part === undefined) return next;
  if (Array.isArray(value)) {
    if (!Object.keys(value).includes(part)) throw missing();
    return value.map((entry, index) =>
      String(index) === part ? setValue(entry, tail, next, missing) : entry,
    );
  }
  const fields = isFields(value) ? value : {};
  return { ...fields, [part]: setValue(fields[part], tail, next, missing) };
}
