import type { SqlValue } from "../../base/database.js";

/**
 * A query's `WHERE` of those conditions that were asked for, so that it can use an index.
 * @param asked each with its only parameter; undefined or empty: not asked for
 */
export function conditionsOf(asked: readonly (readonly [condition: string, value: SqlValue | undefined])[]): {
  where: string;
  values: SqlValue[];
} {
  const given = asked.flatMap(([condition, value]) =>
    value === undefined || value === "" ? [] : [{ condition, value }],
  );
  const conditions = given.map(({ condition }) => condition).join(" AND ");
  return {
    where: conditions && `WHERE ${conditions}`,
    values: given.map(({ value }) => value),
  };
}
