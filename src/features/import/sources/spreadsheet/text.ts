import { formatThousands } from "../../../../base/text.js";
import { SpreadsheetError, type SpreadsheetLimits } from "./limits.js";
import { decodeEntities } from "./xml.js";

/**
 * Collects the text of a string, which can consist of several elements (`<r><t>…</t></r>`). Skips
 * pronunciation hints (`<rPh>`).
 */
export interface TextReader {
  clear(): void;
  open(element: string): void;
  close(element: string): void;
  /** Adds a piece of text. Ignores text outside `<t>`. */
  add(piece: string): void;
  read(): string;
}

export function createTextReader(limits: SpreadsheetLimits): TextReader {
  const written = createPieces(limits);
  let inText = false;
  let inPronunciation = false;
  return {
    clear() {
      written.clear();
      inText = inPronunciation = false;
    },
    open(element) {
      if (element === "t") inText = true;
      else if (element === "rPh") inPronunciation = true;
    },
    close(element) {
      if (element === "t") inText = false;
      else if (element === "rPh") inPronunciation = false;
    },
    add(piece) {
      if (inText && !inPronunciation) written.add(piece);
    },
    read: () => unescaped(decodeEntities(written.read())),
  };
}

export function createPieces({ rowCharacters }: SpreadsheetLimits): {
  clear(): void;
  add(piece: string): void;
  read(): string;
} {
  let whole = "";
  return {
    clear() {
      whole = "";
    },
    add(piece) {
      whole += piece;
      // Escaping makes a character up to eight characters long.
      if (whole.length > 8 * rowCharacters) throw textTooLong({ rowCharacters });
    },
    read: () => whole,
  };
}

export function textTooLong({ rowCharacters }: { rowCharacters: number }): SpreadsheetError {
  return new SpreadsheetError(`contains a row with more than ${formatThousands(rowCharacters)} characters`);
}

/**
 * Decodes escapes of characters that XML can't contain, such as `_x000D_`, and of the underscore (`_x005F_`).
 */
export function unescaped(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
