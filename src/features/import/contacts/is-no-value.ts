const words =
  "k\\.?\\s*a\\.?|n\\.\\s*n\\.?|keine[rs]?(?: angaben?)?|ohne|unbekannt|nicht (?:bekannt|vorhanden)|fehlt|" +
  "none|nothing|null|nil|unknown|not (?:known|available|applicable)|aucune?|inconnue?|geen|onbekend|nessuno|ninguno";
const nothing = new RegExp(`^\\(?(?:${words}|[-–—_./?*]+)\\)?$`, "iu");
/** Maximum number of characters in a phrase that means "no value". */
const longest = 20;

/**
 * Returns whether a phone or email cell means "no value", such as `-` or `k. A.`. Returns false for `n/a`,
 * because the contact might still have a phone number or email.
 */
export function isNoValue(cell: string): boolean {
  // Most numbers and emails take this fast path.
  if (/^[\d+]|@/.test(cell)) return false;
  const text = cell.trim();
  return text !== "" && text.length <= longest && nothing.test(text);
}
