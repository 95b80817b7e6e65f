import type { NumberingPlan } from "./numbering.js";

export interface PhoneContext {
  /** Numbering plan of the row's country; default: the plan of the country in the reader's options. */
  plan?: NumberingPlan | undefined;
  unknownCountry?: string | undefined;
  column?: ColumnWriting | undefined;
}

/** Which prefixes are missing from a column's numbers. Considers only unambiguous numbers. */
export interface ColumnWriting {
  /** Whether the column contains an international number without its plus. */
  lacksPlus: boolean;
  /** Whether the column contains another country's number without its plus. */
  lacksForeignPlus: boolean;
  /** Whether the column contains a national number without the zero before its area code. */
  lacksZero: boolean;
}
