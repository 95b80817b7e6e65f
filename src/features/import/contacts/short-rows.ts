import { errorColumn } from "../sources/surplus.js";
import { isEmptyCell } from "../sources/survey.js";
import type { SourceRow } from "../sources/types.js";

/**
 * Finds rows that may have been cut off because they have fewer cells than the header. Some programs omit the empty
 * cells at the end of a row, but then they omit them in every row.
 */
export function watchShortRows() {
  let writesEmptyCells = false;
  const widthOf = (names: readonly string[]) => names.length - (names.at(-1) === errorColumn ? 1 : 0);
  return {
    see({ names, values, problem }: SourceRow): void {
      const width = widthOf(names);
      if (problem === undefined && values.length >= width && isEmptyCell(values[width - 1]))
        writesEmptyCells = true;
    },
    isShort: ({ names, values }: SourceRow) => values.length < widthOf(names),
    /** @param count number of rows with fewer cells than the header */
    isSuspicious: (count: number) => count === 1 || (count > 0 && writesEmptyCells),
  };
}
