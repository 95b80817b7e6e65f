import * as z from "zod";
import { ruled } from "../assumed.js";
import { defineOperations } from "../operation.js";
import { Name, ObjectId, pageQuery, timestamps } from "../primitives.js";

/** public.group.types */
export const groupTypes = ["contacts", "knowledges", "forwardings", "glossaries", "pronunciations"] as const;

export const GroupType = ruled(
  "public.group.types",
  z.enum(groupTypes, `must be one of ${groupTypes.join(", ")}`),
);

const Group = z.object({ id: ObjectId, type: GroupType, name: z.string(), ...timestamps });

const GroupCreate = z.strictObject({ type: GroupType, name: Name });
// D-group: `type` is immutable, so a PATCH knows the name only.
const GroupUpdate = z.strictObject({ name: Name.optional() });

export const groups = defineOperations(
  { surface: "public", area: "groups" },
  {
    "groups.list": {
      method: "GET",
      path: "/groups",
      summary: "List groups",
      query: pageQuery({ type: GroupType.optional() }),
      answer: "page",
      response: Group,
    },
    "groups.create": {
      method: "POST",
      path: "/groups",
      summary: "Create a group",
      body: GroupCreate,
      answer: "item",
      response: Group,
      errors: [409],
    },
    "groups.get": {
      method: "GET",
      path: "/groups/{group_id}",
      summary: "Show a group",
      answer: "item",
      response: Group,
    },
    "groups.update": {
      method: "PATCH",
      path: "/groups/{group_id}",
      summary: "Rename a group",
      body: GroupUpdate,
      answer: "item",
      response: Group,
      errors: [409],
    },
    "groups.delete": {
      method: "DELETE",
      path: "/groups/{group_id}",
      summary: "Delete a group and everything in it",
      answer: "empty",
      errors: [409],
    },
  },
);

export type Group = z.output<typeof Group>;
