import * as z from "zod";
import { groupsOf } from "./groups.js";
import type { Kind } from "./kind.js";
import { common, extra, name, text } from "./schemas.js";

export const glossary: Kind = {
  name: "glossary",
  layout: "items",
  itemKey: "term",
  thing: {
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
