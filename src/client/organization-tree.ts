import { organizationId } from "./ids.js";
import { isRecord } from "./parsing.js";

interface Node {
  row: Readonly<Record<string, unknown>>;
  /** The organization that it stands in. */
  parent: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Every organization in an answer of the tree, however it is nested: that it holds all MSPs with their customers is
 * documented, its fields are not.
 */
export function* organizationsInTree(value: unknown, parent?: Node["parent"]): Generator<Node> {
  if (Array.isArray(value)) {
    for (const entry of value) yield* organizationsInTree(entry, parent);
    return;
  }
  if (!isRecord(value)) return;
  const isOrganizationRow = isOrganization(value);
  if (isOrganizationRow) yield { row: value, parent };
  for (const inner of Object.values(value)) {
    if (typeof inner === "object") yield* organizationsInTree(inner, isOrganizationRow ? value : parent);
  }
}

/** A license in the tree has an id, too. */
function isOrganization(row: Readonly<Record<string, unknown>>): boolean {
  if (organizationId(row) === undefined) return false;
  return (
    typeof row["externalOrganizationId"] === "string" || row["type"] === "msp" || row["type"] === "customer"
  );
}
