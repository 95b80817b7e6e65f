/** The most that a JSON text may contain. */
export interface StructureBounds {
  /** Values on all levels, the whole itself included. */
  values: number;
  /** Levels of objects and arrays. */
  nesting: number;
}

/**
 * Returns the bound that a JSON text exceeds, without parsing it; undefined for a text within them, or one that is not
 * JSON as far as it was read.
 */
export function findExcess(text: string, most: StructureBounds): keyof StructureBounds | undefined {
  // The length decides for most texts: each value except the last, and each level, takes two characters.
  const mayHaveTooMany = text.length >= 2 * most.values - 1;
  const mayBeTooDeep = text.length > 2 * most.nesting && hasMoreOpenings(text, most.nesting);
  return mayHaveTooMany || mayBeTooDeep ? scan(text, most) : undefined;
}

/** Returns whether a text has more opening brackets than a number. Far cheaper than a scan of each character. */
function hasMoreOpenings(text: string, than: number): boolean {
  let count = 0;
  for (const bracket of "{[") {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > than) return true;
    }
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
// The two kinds of brackets differ in one bit.
const bracketBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

/** Counts values and levels in one pass over the characters, without those in strings. */
function scan(text: string, most: StructureBounds): keyof StructureBounds | undefined {
  let values = 1;
  let depth = 0;
  let isJustOpened = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character <= 0x20) continue;
    if ((character | bracketBit) === closing) depth -= 1;
    // A container has a value more than it has commas, unless it is empty.
    else if (isJustOpened || character === comma) values += 1;
    isJustOpened = (character | bracketBit) === opening;
    if (isJustOpened) depth += 1;
    else if (character === quote) at = endOfString(text, at);
    if (depth > most.nesting) return "nesting";
    if (values > most.values) return "values";
    // No JSON: the parser reports it.
    if (depth === 0) return undefined;
  }
  return undefined;
}

/** Returns the index of the quote that ends the string that begins at an index. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
