/** Control characters, and those that turn the direction of writing or break lines unseen. */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

const short: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Text of others, safe to write to a terminal: control characters become visible escapes. */
export function escapeControl(text: string): string {
  return text.replace(unsafe, (character) => short[character] ?? escapeCharacter(character));
}

/** `\u001b`: the escape of a character that JSON, YAML and readers understand. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const unsafeInLines =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Escapes text of several lines; see escapeControl. Line breaks stay. */
export function escapeLines(text: string): string {
  return unsafeInLines.test(text) ? text.split("\n").map(escapeControl).join("\n") : text;
}

/** A text without characters that have no width, as names that are copied from web pages and documents bring them. */
export function removeInvisible(text: string): string {
  return text.replace(/\p{Default_Ignorable_Code_Point}/gu, "");
}

/** `phone_numbers` → `phone-numbers`; `externalLicenseId` → `external-license-id`. */
export function toKebabCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replace(/_/g, "-")
    .toLowerCase();
}

/** `1234567` → `1,234,567`. By hand: the first use of `Intl` costs a command 12 ms. */
function formatThousands(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "3 contacts", "1 contact". */
export function formatCount(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatThousands(count)} ${count === 1 ? noun : plural}`;
}
