import * as z from "zod";
import { groupsOf } from "./groups.js";
import type { ResourceType } from "./resource-type.js";
import { common, extra, name, text } from "./schemas.js";

export const glossary: ResourceType = {
  name: "glossary",
  layout: "items",
  itemKey: "term",
  item: {
    resource: "glossary",
    nameField: "term",
    fields: [
      { name: "term", api: "term", form: "name", isRequired: true },
      { name: "definition", api: "definition", form: "exact", isNeverNull: true },
    ],
  },
  group: groupsOf("glossaries", "group"),
  file: z.strictObject({
    group: name,
    items: z
      .array(z.strictObject({ term: name, definition: text.nullable().optional(), extra }), "must be a list")
      .nullable()
      .optional(),
    ...common,
  }),
};
