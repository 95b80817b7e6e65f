import { recordOf } from "../values.js";

/** What APIs and exports call the list in an object; the service calls it `data`. */
const listNames: readonly string[] = ["data", "contacts", "results", "records", "items", "entries", "value"];
const longestName = Math.max(...listNames.map(({ length }) => length));
const listInLine = new RegExp(`"(?:${listNames.join("|")})"\\s*:\\s*\\[`);

/**
 * Finds the list in an object as an API answers it, `{"data": [ … ], "meta": …}`, character by character from its first
 * brace on.
 * @returns told a character: does the list begin with it?
 */
export function createEnvelope(): (character: string) => boolean {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let text = "";
  let key = "";
  return (character) => {
    if (inString) {
      if (escaped) escaped = false;
      else if (character === "\\") escaped = true;
      else if (character === '"') inString = false;
      else if (text.length <= longestName) text += character;
      return false;
    }
    if (character === '"') {
      inString = true;
      text = "";
    } else if (character === ":" && depth === 1) key = text;
    else if (character === "," && depth === 1) key = "";
    else if (character === "[" && depth === 1 && listNames.includes(key)) return true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    return false;
  };
}

/** Does a text that begins with a brace hold one object, whose list is to be read, and not an object per line? */
export function isOneObject(start: string): boolean {
  const text = start.trimStart();
  const end = text.indexOf("\n");
  const line = end < 0 ? text : text.slice(0, end);
  try {
    const value: unknown = JSON.parse(line);
    const record = recordOf(value);
    const hasList = listNames.some((name) => isListOfObjects(record[name]));
    return hasList && !/^\s*\{/.test(text.slice(line.length));
  } catch {
    // It goes on in the next line; or is longer than what was looked at.
    return end >= 0 || listInLine.test(line);
  }
}

/** The list of one contact's addresses, say, is not one of contacts. */
function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === "object" && entry !== null);
}
