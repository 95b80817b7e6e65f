import { isEmail } from "../../../contract/primitives.js";

const separator = /:::|[;,/|\n]/;

/** Supports the notation of mail programs: `"Krug, Ben" <ben@example.org>; anna@example.org;`. */
export function readEmails(cell: string): { addresses: string[] } | { value: string; reason: string } {
  const text = cell.trim();
  if (text === "" || isEmail(text)) return { addresses: text === "" ? [] : [text] };
  const addresses: string[] = [];
  // Splitting with a capturing pattern puts the addresses in angle brackets at odd indexes.
  const pieces = text.split(/<([^<>]*)>/);
  for (const [index, piece] of pieces.entries()) {
    const isBracketed = index % 2 === 1;
    const isLast = index === pieces.length - 1;
    for (const part of isBracketed ? [piece] : piece.split(separator)) {
      const address = part
        .trim()
        .replace(/^(["'])(.*)\1$/, "$2")
        .replace(/^mailto:/i, "")
        .trim();
      if (address === "") continue;
      // Skip the name before a bracketed address.
      if (!isBracketed && !isLast && !address.includes("@")) continue;
      if (!isEmail(address)) return { value: text, reason: "is not a valid email address" };
      addresses.push(address);
    }
  }
  return addresses.length > 0 ? { addresses } : { value: text, reason: "is not a valid email address" };
}
