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

export const groups = defineOperations({
  "groups.list": {
    surface: "public",
    method: "GET",
    path: "/groups",
    summary: "List groups",
    query: pageQuery({ type: GroupType.optional() }),
    answer: "page",
    response: Group,
    success: 200,
    errors: [400],
    bucket: "read",
    permission: "groups:read",
    feature: null,
  },
  "groups.create": {
    surface: "public",
    method: "POST",
    path: "/groups",
    summary: "Create a group",
    body: GroupCreate,
    answer: "item",
    response: Group,
    success: 201,
    errors: [400, 409],
    bucket: "write",
    permission: "groups:write",
    feature: null,
  },
  "groups.get": {
    surface: "public",
    method: "GET",
    path: "/groups/{group_id}",
    summary: "Show a group",
    answer: "item",
    response: Group,
    success: 200,
    errors: [400, 404],
    bucket: "read",
    permission: "groups:read",
    feature: null,
  },
  "groups.update": {
    surface: "public",
    method: "PATCH",
    path: "/groups/{group_id}",
    summary: "Rename a group",
    body: GroupUpdate,
    answer: "item",
    response: Group,
    success: 200,
    errors: [400, 404, 409],
    bucket: "write",
    permission: "groups:write",
    feature: null,
  },
  "groups.delete": {
    surface: "public",
    method: "DELETE",
    path: "/groups/{group_id}",
    summary: "Delete a group and everything in it",
    answer: "empty",
    success: 200,
    errors: [400, 404, 409],
    bucket: "write",
    permission: "groups:delete",
    feature: null,
  },
});

export type Group = z.output<typeof Group>;
