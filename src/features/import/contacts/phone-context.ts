import type { NumberingPlan } from "./numbering.js";

/** The facts about a cell that other cells provide. */
export interface PhoneContext {
  /** The country of its row if a column names it; otherwise the country of the options. */
  plan?: NumberingPlan | undefined;
  /** Why the country of its row is unknown, although a column names one. */
  unknownCountry?: string | undefined;
  /** The notation of the other numbers in its column. */
  column?: ColumnWriting | undefined;
}

/** The notation in a column, apart from ambiguous numbers. */
export interface ColumnWriting {
  /** A number that is valid only with the plus that it lacks. */
  lacksPlus: boolean;
  /** A number that starts with another country's code, and is valid only with the missing plus. */
  lacksForeignPlus: boolean;
  /** A number that is valid only in its country, and lacks the zero before its area code. */
  lacksZero: boolean;
}
