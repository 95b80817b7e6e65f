import { isFields } from "../base/fields.js";
import { organizationId } from "./ids.js";

interface Node {
  row: Readonly<Record<string, unknown>>;
  parent: Readonly<Record<string, unknown>> | undefined;
}

/** The documents don't specify the names of the tree's fields. */
export function* organizationsInTree(value: unknown, parent?: Node["parent"]): Generator<Node> {
  if (Array.isArray(value)) {
    for (const entry of value) yield* organizationsInTree(entry, parent);
    return;
  }
  if (!isFields(value)) return;
  const isOrganizationRow = isOrganization(value);
  if (isOrganizationRow) yield { row: value, parent };
  for (const inner of Object.values(value)) {
    if (typeof inner === "object") yield* organizationsInTree(inner, isOrganizationRow ? value : parent);
  }
}

/** An ID alone is not enough: the licenses in the tree also have IDs. */
function isOrganization(row: Readonly<Record<string, unknown>>): boolean {
  if (organizationId(row) === undefined) return false;
  return (
    typeof row["externalOrganizationId"] === "string" || row["type"] === "msp" || row["type"] === "customer"
  );
}
