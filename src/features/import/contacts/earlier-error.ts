import { removePlaces } from "../../../write/input-row.js";
import { errorColumn } from "../sources/surplus.js";
import type { SourceRow } from "../sources/types.js";
import { asText } from "./cells.js";

/** Phrases of the errors that `readEarlierError` recognizes. */
export const phrases = {
  lackingPlus: "because other numbers in the column lack the plus sign",
  lackingZero: "because other numbers in the column lack the leading zero",
  missing: "is missing",
  notContact: "is not a contact:",
  notKnownCountry: "is not a known country",
};

/**
 * Reads the problems that an earlier import found in a row of its rejects file. The rows that revealed these
 * problems, such as complete numbers in the same column, may not be in this file.
 */
export function readEarlierError({ names, values }: Pick<SourceRow, "names" | "values">) {
  const position = names.indexOf(errorColumn);
  // Most files are not rejects files.
  return position < 0 ? noError : findPhrases(removePlaces(asText(values[position]).trim()));
}

function findPhrases(error: string) {
  return {
    isNotContact: error.startsWith(phrases.notContact),
    lacksFirstName: error.includes(`first_name: ${phrases.missing}`),
    lacksPlus: error.includes(phrases.lackingPlus),
    lacksZero: error.includes(phrases.lackingZero),
    /** This error appears only if other rows of the original file had known countries in the column. */
    hasUnknownCountry: (column: string) => error.includes(`in "${column}" ${phrases.notKnownCountry}`),
  };
}

const noError = findPhrases("");
