/** Control characters, and invisible characters that change the writing direction or break lines. */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Makes untrusted text safe for a terminal by showing control characters as escapes. */
export function escapeControl(text: string): string {
  return text.replace(unsafe, escapeUnsafe);
}

export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function escapeUnsafe(character: string): string {
  return short[character] ?? escapeCharacter(character);
}

/** Like `escapeControl`, but keeps line breaks. */
export function escapeLines(text: string): string {
  return text.replace(unsafe, (character) => (character === "\n" ? character : escapeUnsafe(character)));
}

/** Returns whether a text contains characters that `escapeControl` escapes. */
export function hasControlCharacters(text: string): boolean {
  return text.search(unsafe) >= 0;
}

/**
 * Removes zero-width characters. Names that users copy from web pages and documents can contain such
 * characters.
 */
export function removeInvisible(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

export function toKebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/_/g, "-")
    .toLowerCase();
}

export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Formats `1234567` as `1,234,567`. Avoids `Intl`, whose first use takes 12 ms. */
export function formatThousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatThousands(count)} ${inflect(count, noun, plural)}`;
}

export function inflect(count: number, singular: string, plural: string): string {
  return count === 1 ? singular : plural;
}

/** Removes the period that ends a message of the service, so that text can follow. */
export function trimPeriod(message: string): string {
  return message.replace(/\.$/, "");
}

/** Joins parts to text such as "create 2, update 1 and delete 3". */
export function joinWithAnd(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}
