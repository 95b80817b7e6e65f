import { messageOf } from "../../../base/error-code.js";
import { ExactNumber, parseExactJson } from "../../../base/exact-json.js";
import { findRepeatedKey } from "../../../base/repeated-keys.js";
import { BulkError } from "../../../write/errors.js";
import { createEnvelope, type Envelope } from "./envelope.js";
import { linesOf, recordLimit, tooLong } from "./lines.js";
import { findPageSign } from "./page-signs.js";
import { errorColumn } from "./surplus.js";
import type { SourceRow } from "./types.js";

/** Also yields invalid lines, each as a problem. */
export async function* readJsonl(text: AsyncIterable<string>, name: string): AsyncGenerator<SourceRow, []> {
  const record = recordReader();
  let line = 0;
  for await (const content of linesOf(text, name)) {
    line += 1;
    if (content.trim() !== "") yield record(content, line);
  }
  return [];
}

/** Also finds an array in a member of an object, such as `data`. */
export async function* readJsonArray(
  text: AsyncIterable<string>,
  name: string,
): AsyncGenerator<SourceRow, []> {
  const record = recordReader();
  for await (const { text: content, line, problem } of elements(text, name))
    yield record(content, line, problem);
  return [];
}

/** Consecutive objects with the same fields share one array of names. */
function recordReader(): (text: string, line: number, problem?: string) => SourceRow {
  let number = 0;
  let names: readonly string[] = [];
  const read = (text: string, line: number, known?: string): SourceRow => {
    const broken = (problem: string): SourceRow => ({ number, line, names: [], values: [text], problem });
    if (known !== undefined) return broken(known);
    let value: unknown;
    try {
      value = parseExactJson(text);
    } catch (error) {
      return broken(`is not valid JSON: ${messageOf(error)}`);
    }
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return broken("is not a JSON object");
    const rejected = lineIn(value);
    if (rejected !== undefined) return read(rejected, line);
    const repeated = findRepeatedKey(text, value);
    if (repeated !== undefined) return broken(`has the field "${repeated}" twice`);
    const fields = Object.keys(value);
    if (fields.length !== names.length || fields.some((field, index) => field !== names[index]))
      names = fields;
    return { number, line, names, values: Object.values(value).map(withDigits) };
  };
  return (text, line, known) => {
    number += 1;
    return read(text, line, known);
  };
}

/** Returns the line that an earlier import rejected because it was not a JSON object. */
function lineIn(record: object): string | undefined {
  const isRejected = errorColumn in record && "line" in record && Object.keys(record).length === 2;
  return isRejected && typeof record.line === "string" ? record.line : undefined;
}

/** Returns the digits of a number that JavaScript would round, such as a customer number with 19 digits. */
function withDigits(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.digits;
  return Array.isArray(value) ? value.map(withDigits) : value;
}

async function* elements(
  text: AsyncIterable<string>,
  name: string,
): AsyncGenerator<{ text: string; line: number; problem?: string }, void> {
  const splitter = arraySplitter(name);
  let rows = 0;
  for await (const piece of text) {
    for (const element of splitter.feed(piece)) {
      rows += 1;
      yield element;
    }
  }
  const { line, envelope } = splitter.end();
  if (envelope === undefined) return;
  const sign = findPageSign(envelope.value, { path: envelope.listPath, rows });
  if (sign === undefined) return;
  const problem = `is the end of the list, but according to ${sign}, the file contains only one of several pages`;
  yield { text: "", line, problem };
}

function arraySplitter(name: string) {
  let position: "before" | "envelope" | "inside" | "after" = "before";
  let envelope: Envelope | undefined;
  let line = 1;
  let depth = 0;
  let inString = false;
  let escaped = false;
  // Line on which the current element starts; 0 between elements.
  let elementLine = 0;
  let held = "";

  function* feed(piece: string): Generator<{ text: string; line: number }, void> {
    let start = 0;
    for (let index = 0; index < piece.length; index += 1) {
      const character = piece[index] ?? "";
      if (character === "\n") line += 1;
      if (envelope !== undefined && position !== "inside") {
        if (!envelope.read(character)) continue;
        position = "inside";
        start = index + 1;
        continue;
      }
      if (inString) {
        if (escaped) escaped = false;
        else if (character === "\\") escaped = true;
        else if (character === '"') inString = false;
        continue;
      }
      if (character.trim() === "") continue;
      if (position !== "inside") {
        if (position === "before" && character === "{") {
          envelope = createEnvelope();
          envelope.read(character);
          position = "envelope";
          continue;
        }
        if (character !== "[" || position === "after") {
          throw new BulkError(
            "not_an_array",
            `${name}: unexpected text on line ${line}, outside the JSON array`,
          );
        }
        position = "inside";
        start = index + 1;
        continue;
      }
      const ends = depth === 0 && (character === "," || character === "]");
      if (!ends) {
        if (elementLine === 0) elementLine = line;
        if (character === '"') inString = true;
        else if (character === "{" || character === "[") depth += 1;
        else if (character === "}" || character === "]") depth -= 1;
        continue;
      }
      const element = (held + piece.slice(start, index)).trim();
      held = "";
      start = index + 1;
      if (element !== "" || character === ",") yield { text: element, line: elementLine || line };
      elementLine = 0;
      if (character !== "]") continue;
      position = "after";
      envelope?.read(character);
    }
    if ((envelope?.length() ?? 0) > recordLimit) throw tooLong(name, line);
    if (position !== "inside") return;
    held += piece.slice(start);
    if (held.length > recordLimit) throw tooLong(name, elementLine || line);
  }

  const end = () => {
    if (position === "envelope") {
      throw new BulkError(
        "not_an_array",
        `${name} is a single JSON object without a "data" list`,
        'use a list ([ … ]), an object that contains a list ({"data": [ … ]}), or one object per line',
      );
    }
    if (position === "before") throw new BulkError("not_an_array", `${name} is empty, not a JSON array`);
    if (position === "inside") {
      throw new BulkError("not_an_array", `${name} ends inside its JSON array and is probably truncated`);
    }
    return {
      line,
      envelope: envelope && { value: parseEnvelope(envelope, name), listPath: envelope.listPath() },
    };
  };
  return { feed, end };
}

/**
 * @throws BulkError if the object around the list is truncated or followed by more text, such as another page
 */
function parseEnvelope(envelope: Envelope, name: string): unknown {
  try {
    return envelope.parse();
  } catch (cause) {
    const problem = envelope.isOpen()
      ? "ends inside its JSON object and is probably truncated"
      : "is not a single JSON object: the text before or after its list is not valid JSON";
    throw new BulkError("not_an_array", `${name} ${problem}`, undefined, { cause });
  }
}
