import type { RowList } from "../../write/engine/context.js";

/** Maximum number of rows that a message lists. */
const rowsNamed = 10;

export function createRowList(): RowList & { add(number: number): void } {
  const first: number[] = [];
  let count = 0;
  return {
    first,
    get count() {
      return count;
    },
    add(number) {
      count += 1;
      if (first.length < rowsNamed) first.push(number);
    },
  };
}
