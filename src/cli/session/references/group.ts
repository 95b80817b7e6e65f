import type { groupTypes } from "../../../contract/public/groups.js";
import type { Referable } from "./references.js";

/** Returns a reference to a group of this type, by name or ID. */
export function groupOf(type: (typeof groupTypes)[number]): Referable {
  return { list: "groups.list", noun: `group of type ${type}`, query: { type } };
}
