import * as z from "zod";
import type { ResourceType } from "./resource-type.js";
import { common, documentedField, name, text } from "./schemas.js";

export const calendars: ResourceType = {
  name: "calendars",
  layout: "object",
  item: {
    resource: "calendars",
    nameField: "name",
    fields: [
      { name: "name", api: "name", form: "name", isRequired: true },
      { name: "timezone", api: "timezone", form: "exact" },
      { name: "schedules", api: "schedules", form: "filled" },
    ],
  },
  file: z.strictObject({
    name,
    timezone: text.optional(),
    schedules: documentedField("calendars.create", "schedules").optional(),
    ...common,
  }),
};
