const words =
  "k\\.?\\s*a\\.?|n\\.\\s*n\\.?|keine[rs]?(?: angaben?)?|ohne|unbekannt|nicht (?:bekannt|vorhanden)|fehlt|" +
  "none|nothing|null|nil|unknown|not (?:known|available|applicable)|aucune?|inconnue?|geen|onbekend|nessuno|ninguno";
const nothing = new RegExp(`^\\(?(?:${words}|[-–—_./?*]+)\\)?$`, "iu");
/** The most characters that such words have. */
const longest = 20;

/**
 * Returns whether a cell for a number or an address means that none exists, as `-` and `k. A.` do. `n/a` can
 * mean that the number is only unavailable, so its row is invalid.
 */
export function isNoValue(cell: string): boolean {
  // Most numbers and addresses: an import asks this of each.
  if (/^[\d+]|@/.test(cell)) return false;
  const text = cell.trim();
  return text !== "" && text.length <= longest && nothing.test(text);
}
