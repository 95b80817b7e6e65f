import * as z from "zod";
import { groupsOf } from "./groups.js";
import type { ResourceType } from "./resource-type.js";
import { common, markdown, name } from "./schemas.js";

export const knowledge: ResourceType = {
  name: "knowledge",
  layout: "folder",
  body: "text",
  item: {
    resource: "knowledge",
    nameField: "title",
    fields: [
      { name: "title", api: "name", form: "name", isRequired: true },
      { name: "active", api: "active", form: "exact" },
      { name: "text", api: "text", form: "exact", isRequired: true },
    ],
    movesBetweenGroups: true,
    unlisted: ["text"],
  },
  group: groupsOf("knowledges", "name"),
  file: z.strictObject({ title: name, active: z.boolean("must be true or false").optional(), ...markdown }),
  groupFile: z.strictObject({ name: name.optional(), ...common }),
};
