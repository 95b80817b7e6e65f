import type { NumberingPlan } from "./numbering.js";

/** Facts about a phone cell that other cells provide. */
export interface PhoneContext {
  /** The row's country, if a column contains it; otherwise the country from the options. */
  plan?: NumberingPlan | undefined;
  /** Why the country of the row is unknown even though a column contains one. */
  unknownCountry?: string | undefined;
  /** How the other numbers in the column are written. */
  column?: ColumnWriting | undefined;
}

/** How the unambiguous numbers in a column are written. */
export interface ColumnWriting {
  /** Whether a number lacks its plus and is only valid with it. */
  lacksPlus: boolean;
  /** Whether a number with another country's calling code lacks its plus and is only valid with it. */
  lacksForeignPlus: boolean;
  /** Whether a number that is only valid as a national number lacks the zero before its area code. */
  lacksZero: boolean;
}
