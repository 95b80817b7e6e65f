import type { NumberingPlan } from "./numbering.js";

/** Facts about a phone cell from other cells. */
export interface PhoneContext {
  /** The country in the row, otherwise the country from the options. */
  plan?: NumberingPlan | undefined;
  /** Why the row's country could not be determined from its column. */
  unknownCountry?: string | undefined;
  /** How the other numbers in the column are written. */
  column?: ColumnWriting | undefined;
}

/** How the unambiguous numbers in a column are written. */
export interface ColumnWriting {
  /** Whether a number is valid only with a plus, but has none. */
  lacksPlus: boolean;
  /** Like `lacksPlus`, for a number with another country's calling code. */
  lacksForeignPlus: boolean;
  /** Whether a number is valid only as a national number, but lacks the zero before its area code. */
  lacksZero: boolean;
}
