import type { groupTypes } from "../../../contract/public/groups.js";
import type { Referable } from "./references.js";

export function groupOf(type: (typeof groupTypes)[number]): Referable {
  return { list: "groups.list", noun: `group of type ${type}`, query: { type } };
}
