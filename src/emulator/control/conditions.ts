import type { SqlValue } from "../../base/database.js";

/**
 * Builds the `WHERE` clause of a query from the conditions that are set, so that the query can use an index. @param filters conditions,
 * each with its parameter; a condition is not set if the parameter is undefined or empty
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
