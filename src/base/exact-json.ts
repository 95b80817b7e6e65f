/**
 * JSON without loss of digits. A number that a double can't represent, such as a 20-digit ID, becomes an
 * `ExactNumber`.
 */

/** `JSON.stringify` writes an `ExactNumber` as a string. */
export class ExactNumber {
  constructor(readonly digits: string) {}
  toString(): string {
    return this.digits;
  }
  toJSON(): string {
    return this.digits;
  }
}

/** Converts a number or its text, because some services send numbers as text; NaN for any other value. */
export function toNumber(value: unknown): number {
  if (typeof value === "number" || value instanceof ExactNumber) return Number(value);
  return typeof value === "string" && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
}

/** Matches every number that a double might not represent exactly. Most responses contain none. */
const suspicious = /[:,[\s]-?\d(?:[\d.]{15}|[\d.]*[eE])|^-?\d/;
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** @throws SyntaxError if the text is not JSON */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!suspicious.test(text)) return value;
  const lossy: string[] = [];
  // No string contains this marker: it is one `#` longer than the longest run of `#`.
  const runs = text.replaceAll("\\u0023", "#").match(/#+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0);
  const mark = "#".repeat(longest + 1);
  const marked = text.replace(token, (match) => {
    if (match.startsWith('"') || holdsExactly(match)) return match;
    lossy.push(match);
    return `"${mark}${lossy.length - 1}"`;
  });
  if (lossy.length === 0) return value;
  return JSON.parse(marked, (_, part: unknown) => {
    const digits =
      typeof part === "string" && part.startsWith(mark) ? lossy[Number(part.slice(mark.length))] : undefined;
    return digits === undefined ? part : new ExactNumber(digits);
  });
}

/** Returns the path of the first number that a double can't represent; undefined if all numbers are exact. */
export function findExactNumber(text: string): (string | number)[] | undefined {
  return suspicious.test(text) ? pathOfExactNumber(parseExactJson(text)) : undefined;
}

function pathOfExactNumber(value: unknown): (string | number)[] | undefined {
  if (value instanceof ExactNumber) return [];
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const path = pathOfExactNumber(inner);
    if (path !== undefined) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return undefined;
}

/** Returns whether a double has the value of a decimal number. */
export function holdsExactly(text: string): boolean {
  const written = String(Number(text));
  // JavaScript would write this number with an exponent, so keep the original digits.
  if (written.includes("e") && !/e/i.test(text)) return false;
  return canonical(text) === canonical(written);
}

function canonical(text: string): string {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text);
  if (!parts) return "infinite";
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = parts;
  const all = (whole + fraction).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return "0";
  return `${sign}${digits}e${Number(exponent) - fraction.length + all.length - digits.length}`;
}

/** Like `JSON.stringify`, but writes an `ExactNumber` as a number. */
export function stringifyExactJson(value: unknown, indent = 0): string {
  return write(value, indent, "\n") ?? "null";
}

function write(value: unknown, indent: number, lineBreak: string): string | undefined {
  if (value instanceof ExactNumber) return value.digits;
  if (!holdsExactNumber(value)) {
    const text: string | undefined = JSON.stringify(value, null, indent);
    return indent > 0 ? text?.replaceAll("\n", lineBreak) : text;
  }
  const inner = lineBreak + " ".repeat(indent);
  const [before, after, colon] = indent > 0 ? [inner, lineBreak, ": "] : ["", "", ":"];
  if (Array.isArray(value))
    return `[${value.map((element) => before + (write(element, indent, inner) ?? "null")).join(",")}${after}]`;
  const members = Object.entries(Object(value)).flatMap(([name, member]) => {
    const text = write(member, indent, inner);
    return text === undefined ? [] : [`${before}${JSON.stringify(name)}${colon}${text}`];
  });
  return `{${members.join(",")}${after}}`;
}

function holdsExactNumber(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (value instanceof ExactNumber) return true;
  // Most members are primitive: skip them here, which saves a function call for each.
  for (const member of Array.isArray(value) ? value : Object.values(value))
    if (typeof member === "object" && member !== null && holdsExactNumber(member)) return true;
  return false;
}
