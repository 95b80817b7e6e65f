export interface StructureBounds {
  values: number;
  nesting: number;
}

/**
 * Returns the limit that a JSON text exceeds, without parsing; undefined if it exceeds none or is not JSON.
 */
export function findExcess(text: string, most: StructureBounds): keyof StructureBounds | undefined {
  // Each level needs two brackets and each further value a comma, so most texts are too short to exceed a
  // limit.
  const mayHaveTooMany = text.length >= 2 * most.values - 1;
  const mayBeTooDeep = text.length > 2 * most.nesting && hasMoreOpenings(text, most.nesting);
  return mayHaveTooMany || mayBeTooDeep ? scan(text, most) : undefined;
}

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
// The codes of `[` and `{`, and of `]` and `}`, differ only in this bit.
const bracketBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;

function scan(text: string, most: StructureBounds): keyof StructureBounds | undefined {
  let values = 1;
  let depth = 0;
  let isJustOpened = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character <= 0x20) continue;
    if ((character | bracketBit) === closing) depth -= 1;
    // A non-empty container has one more value than commas.
    else if (isJustOpened || character === comma) values += 1;
    isJustOpened = (character | bracketBit) === opening;
    if (isJustOpened) depth += 1;
    else if (character === quote) at = endOfString(text, at);
    if (depth > most.nesting) return "nesting";
    if (values > most.values) return "values";
    if (depth === 0) return undefined;
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
