import * as z from "zod";
import type { ResourceSpec, ResourceType } from "./resource-type.js";
import { common, name } from "./schemas.js";

export function groupsOf(type: string, nameField: "group" | "name"): ResourceSpec {
  return {
    resource: "groups",
    nameField,
    fields: [{ name: nameField, api: "name", form: "name", isRequired: true }],
    fixed: { type },
  };
}

/** Contact groups. voxctl manages the groups but not their contacts. */
export const groups: ResourceType = {
  name: "groups",
  layout: "object",
  item: groupsOf("contacts", "name"),
  file: z.strictObject({ name, ...common }),
};
