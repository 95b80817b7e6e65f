import * as z from "zod";
import { groupsOf } from "./groups.js";
import type { ResourceType } from "./resource-type.js";
import { common, documentedField, extra, name, text } from "./schemas.js";

const create = "forwardings.create";

export const forwardings: ResourceType = {
  name: "forwardings",
  layout: "items",
  itemKey: "key",
  item: {
    resource: "forwardings",
    nameField: "name",
    fields: [
      { name: "name", api: "name", form: "name" },
      { name: "type", api: "type", form: "exact" },
      { name: "destination_type", api: "destination_type", form: "exact", isRequired: true },
      { name: "phone_number", api: "phone_number", form: "phone" },
      { name: "sip_uri", api: "sip_uri", form: "exact" },
      { name: "sip_refer_target", api: "sip_refer_target", form: "exact" },
      { name: "timeout", api: "timeout", form: "exact" },
    ],
  },
  group: groupsOf("forwardings", "group"),
  file: z.strictObject({
    group: name,
    items: z
      .array(
        z.strictObject({
          key: name,
          name: text.nullable().optional(),
          type: documentedField(create, "type").optional(),
          destination_type: documentedField(create, "destination_type").optional(),
          phone_number: documentedField(create, "phone_number").optional(),
          sip_uri: text.nullable().optional(),
          sip_refer_target: text.nullable().optional(),
          timeout: documentedField(create, "timeout").optional(),
          extra,
        }),
        "must be a list",
      )
      .nullable()
      .optional(),
    ...common,
  }),
};
