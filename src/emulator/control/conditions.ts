import type { SqlValue } from "../../base/database.js";

/**
 * Builds the `WHERE` clause of a query from the conditions that are set, so that it can use an index.
 * @param filters each with its only parameter; undefined or empty: not set
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
