import * as z from "zod";
import type { ResourceType } from "./resource-type.js";
import { common, documentedField, headers, name, object, secret, text } from "./schemas.js";

const create = "tools.create";

export const tools: ResourceType = {
  name: "tools",
  layout: "object",
  item: {
    resource: "tools",
    nameField: "name",
    fields: [
      { name: "name", api: "name", form: "name", isRequired: true },
      { name: "description", api: "description", form: "exact", isNeverNull: true },
      { name: "url", api: "url", form: "exact", isRequired: true },
      { name: "method", api: "method", form: "exact" },
      { name: "headers", api: "headers", form: "exact", isHeaders: true },
      { name: "parameters", api: "parameters", form: "exact" },
      { name: "secret", api: "secret", form: "secret" },
    ],
  },
  file: z.strictObject({
    name,
    description: text.nullable().optional(),
    url: documentedField(create, "url").optional(),
    method: documentedField(create, "method").optional(),
    headers: headers.optional(),
    parameters: object.optional(),
    secret: secret.nullable().optional(),
    ...common,
  }),
};
