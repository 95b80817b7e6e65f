import type { SqlValue } from "../../base/database.js";

/**
 * Filters without a value add no condition, so that the query can use an index.
 * @param filters SQL conditions and their values; `undefined` and the empty string mean no value
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
