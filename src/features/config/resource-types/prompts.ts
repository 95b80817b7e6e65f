import * as z from "zod";
import type { ResourceType } from "./resource-type.js";
import { markdown, name, text } from "./schemas.js";

export const prompts: ResourceType = {
  name: "prompts",
  layout: "document",
  body: "text",
  item: {
    resource: "prompts",
    nameField: "name",
    fields: [
      { name: "name", api: "name", form: "name", isRequired: true },
      { name: "kind", api: "kind", form: "exact", isRequired: true, isImmutable: true },
      { name: "text", api: "text", form: "exact", isRequired: true },
    ],
  },
  file: z.strictObject({ name, kind: text.optional(), ...markdown }),
};
