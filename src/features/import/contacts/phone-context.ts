import type { NumberingPlan } from "./numbering.js";

/** Facts about a phone cell, derived from other cells. */
export interface PhoneContext {
  /** Numbering plan of the row's country; if undefined, the reader uses the country from its options. */
  plan?: NumberingPlan | undefined;
  /** Why the row's country could not be determined from its column. */
  unknownCountry?: string | undefined;
  /** How the other numbers in the column are written. */
  column?: ColumnWriting | undefined;
}

/** How the unambiguous numbers in a column are written. */
export interface ColumnWriting {
  /** Whether any number in the column has no plus but is valid only with one. */
  lacksPlus: boolean;
  /** Like `lacksPlus`, but only for numbers with another country's calling code. */
  lacksForeignPlus: boolean;
  /**
   * Whether any number in the column is valid only as a national number, but lacks the zero before its area
   * code.
   */
  lacksZero: boolean;
}
