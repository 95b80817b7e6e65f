import type { NumberingPlan } from "./numbering.js";

export interface PhoneContext {
  /** Numbering plan of the row's country; default: the plan of the country in the reader's options. */
  plan?: NumberingPlan | undefined;
  unknownCountry?: string | undefined;
  column?: ColumnWriting | undefined;
}

/** Prefixes that the unambiguous numbers in a column lack. */
export interface ColumnWriting {
  /** Whether a number in the column has no plus but is valid only with one. */
  lacksPlus: boolean;
  /**
   * Whether a number in the column is valid only with a plus and starts with another country's calling code.
   */
  lacksForeignPlus: boolean;
  /**
   * Whether a number in the column is valid only as a national number but lacks the zero before its area
   * code.
   */
  lacksZero: boolean;
}
