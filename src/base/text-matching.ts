/** How a person's text is compared with a row's values (T3: what a service may write otherwise is no difference). */

/** Letters without their case, single spaces. */
export function plainText(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, " ").trim().toLowerCase();
}

/** The digits of what looks like a phone number, with its plus; undefined for anything else. */
function phoneOf(text: string): string | undefined {
  if (!/^\+?[\d\s()/.-]+$/.test(text)) return undefined;
  const digits = text.replace(/\(0\)/g, "").replace(/\D/g, "");
  if (digits.length < (text.trim().startsWith("+") ? 1 : 3)) return undefined;
  return text.trim().startsWith("+")
    ? `+${digits}`
    : digits.startsWith("00")
      ? `+${digits.slice(2)}`
      : digits;
}

/**
 * A judgement of numbers: with a country code one that begins so, else one that has these digits, where a zero before
 * them is a national one's. Undefined for what is no number.
 */
export function phoneMatcher(typed: string): ((number: string) => boolean) | undefined {
  const wanted = phoneOf(typed);
  if (wanted === undefined) return undefined;
  if (wanted.startsWith("+")) return (number) => (phoneOf(number) ?? number).startsWith(wanted);
  const national = wanted.replace(/^0/, "");
  return (number) => number.replace(/\D/g, "").includes(national);
}

/** Is it the same number, however it is written? */
export function isSamePhone(one: string, other: string): boolean {
  const number = phoneOf(one);
  return number?.startsWith("+") === true && number === phoneOf(other);
}

/** The texts in a value, lists included. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.flatMap(textsIn) : [];
}
