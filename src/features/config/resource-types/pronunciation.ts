import * as z from "zod";
import { groupsOf } from "./groups.js";
import type { ResourceType } from "./resource-type.js";
import { common, documentedField, extra, name, text } from "./schemas.js";

const create = "pronunciation.create";

export const pronunciation: ResourceType = {
  name: "pronunciation",
  layout: "items",
  itemKey: "token",
  item: {
    resource: "pronunciation",
    nameField: "token",
    fields: [
      { name: "token", api: "token", form: "name", isRequired: true },
      { name: "replacement", api: "replacement", form: "exact" },
      { name: "spell_out", api: "spell_out", form: "exact" },
      { name: "speaking_rate", api: "speaking_rate", form: "exact" },
      { name: "ipa", api: "ipa", form: "exact" },
    ],
  },
  group: groupsOf("pronunciations", "group"),
  file: z.strictObject({
    group: name,
    items: z
      .array(
        z.strictObject({
          token: name.regex(/^\S+$/u, "must be a single word without spaces"),
          replacement: text.nullable().optional(),
          spell_out: documentedField(create, "spell_out").optional(),
          speaking_rate: z.number("must be a number").nullable().optional(),
          ipa: text.nullable().optional(),
          extra,
        }),
        "must be a list",
      )
      .nullable()
      .optional(),
    ...common,
  }),
};
