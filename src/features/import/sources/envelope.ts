import { recordOf } from "../../../write/values.js";

/** Field names that APIs and exports use for a list inside an object. The service uses `data`. */
const listNames: ReadonlySet<string> = new Set(
  "data contacts results records items entries value content elements hits nodes resources rows".split(" "),
);
/** Field names of objects around the list, as in `{"d": {"results": [ … ]}}`. */
const wrapperNames: ReadonlySet<string> = new Set([
  ...listNames,
  ..."d _embedded response result".split(" "),
]);
const listInLine = new RegExp(`"(?:${[...listNames].join("|")})"\\s*:\\s*\\[`, "i");
/**
 * Maximum number of characters kept from an array other than the list. Only arrays of links are needed, and
 * these are shorter.
 */
const longestArray = 16 * 1024;

export interface Envelope {
  /** Reads the next character outside the list. Returns whether the list starts with this character. */
  read(character: string): boolean;
  length(): number;
  isOpen(): boolean;
  listPath(): readonly string[];
  /**
   * Returns the object, without the rows of the list and without the content of long arrays.
   * @throws SyntaxError if the text is not a single JSON object
   */
  parse(): unknown;
}

/**
 * Finds the list in an object that looks like an API response: `{"data": [ … ], "meta": …}` or `{"d":
 * {"results": [ … ]}}`.
 */
export function createEnvelope(): Envelope {
  const open: { isArray: boolean; key: string }[] = [];
  let arrays = 0;
  let listPath: readonly string[] | undefined;
  let inString = false;
  let isEscaped = false;
  let lastString = "";
  let kept = "";
  let arrayStart = 0;

  const isTooLong = () => arrays > 0 && kept.length - arrayStart > longestArray;
  const isList = () =>
    listPath === undefined &&
    open.length > 0 &&
    open.every(({ isArray, key }, index) => {
      const names = index < open.length - 1 ? wrapperNames : listNames;
      return !isArray && names.has(key.toLowerCase());
    });

  function readString(character: string): void {
    if (isEscaped) isEscaped = false;
    else if (character === "\\") isEscaped = true;
    else if (character === '"') inString = false;
    if (inString) lastString += character;
  }

  function openPart(isArray: boolean): void {
    open.push({ isArray, key: "" });
    if (!isArray) return;
    arrays += 1;
    if (arrays === 1) arrayStart = kept.length;
  }

  function closePart(character: string): void {
    const isTooLongNow = isTooLong();
    if (open.pop()?.isArray !== true) return;
    arrays -= 1;
    if (arrays === 0 && isTooLongNow) kept = kept.slice(0, arrayStart) + character;
  }

  function read(character: string): boolean {
    if (!isTooLong()) kept += character;
    if (inString) {
      readString(character);
      return false;
    }
    const part = open.at(-1);
    if (character === '"') {
      inString = true;
      lastString = "";
    } else if (character === ":" && part !== undefined) part.key = lastString;
    else if (character === "," && part !== undefined) part.key = "";
    else if (character === "[" && isList()) {
      listPath = open.map(({ key }) => key);
      openPart(true);
      return true;
    } else if (character === "[" || character === "{") openPart(character === "[");
    else if (character === "]" || character === "}") closePart(character);
    return false;
  }

  return {
    read,
    length: () => kept.length,
    isOpen: () => open.length > 0,
    listPath: () => listPath ?? [],
    parse: () => JSON.parse(kept),
  };
}

/**
 * Returns whether a text that starts with a brace is one object that contains a list, as opposed to one
 * object per line.
 */
export function isSingleObject(start: string): boolean {
  const text = start.trimStart();
  const end = text.indexOf("\n");
  const line = end < 0 ? text : text.slice(0, end);
  try {
    const value: unknown = JSON.parse(line);
    return hasList(value) && !/^\s*\{/.test(text.slice(line.length));
  } catch {
    // The line is not complete JSON: the object continues on the next line or after `start`.
    return end >= 0 || listInLine.test(line);
  }
}

function hasList(value: unknown): boolean {
  return Object.entries(recordOf(value)).some(([name, member]) => {
    const plain = name.toLowerCase();
    if (Array.isArray(member)) return listNames.has(plain) && isListOfObjects(member);
    return wrapperNames.has(plain) && hasList(member);
  });
}

/** Returns whether a list contains only objects: a list of emails, for example, is not a list of contacts. */
function isListOfObjects(values: readonly unknown[]): boolean {
  return values.every((entry) => typeof entry === "object" && entry !== null);
}
