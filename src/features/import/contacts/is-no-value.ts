const words =
  "k\\.?\\s*a\\.?|n\\.\\s*n\\.?|keine[rs]?(?: angaben?)?|ohne|unbekannt|nicht (?:bekannt|vorhanden)|fehlt|" +
  "none|nothing|null|nil|unknown|not (?:known|available|applicable)|aucune?|inconnue?|geen|onbekend|nessuno|ninguno";
const nothing = new RegExp(`^\\(?(?:${words}|[-–—_./?*]+)\\)?$`, "iu");
/** Maximum length of a phrase for "no value", in characters. */
const longest = 20;

/**
 * Returns whether a phone or email cell means "no value", such as `-` or `k. A.`. `n/a` does not count, because
 * the number may only be unavailable; such a row is invalid.
 */
export function isNoValue(cell: string): boolean {
  // Fast path for most numbers and emails.
  if (/^[\d+]|@/.test(cell)) return false;
  const text = cell.trim();
  return text !== "" && text.length <= longest && nothing.test(text);
}
