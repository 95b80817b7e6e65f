import type { SqlValue } from "../../base/database.js";

/**
 * Builds a query's `WHERE` clause. It contains only conditions with a parameter, so that the query can use an index.
 * @param filters conditions and their parameters; a condition is omitted if its parameter is undefined or empty
 */
export function buildConditions(
  filters: readonly (readonly [condition: string, value: SqlValue | undefined])[],
): {
  where: string;
  values: SqlValue[];
} {
  const activeFilters = filters.flatMap(([condition, value]) =>
    value === undefined || value === "" ? [] : [{ condition, value }],
  );
  const conditions = activeFilters.map(({ condition }) => condition).join(" AND ");
  return {
    where: conditions && `WHERE ${conditions}`,
    values: activeFilters.map(({ value }) => value),
  };
}
