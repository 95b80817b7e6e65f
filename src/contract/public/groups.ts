import * as z from "zod";
import { ruled } from "../assumed.js";
import { exampleIds, exampleTimes, setExample } from "../examples.js";
import { once } from "../once.js";
import { defineOperations } from "../operation.js";
import { Name, ObjectId, pageQuery, timestamps } from "../primitives.js";

/** public.group.types */
export const groupTypes = ["contacts", "knowledges", "forwardings", "glossaries", "pronunciations"] as const;

export const GroupType = ruled(
  "public.group.types",
  z.enum(groupTypes, `must be one of ${groupTypes.join(", ")}`),
);

const Group = once(() =>
  setExample(z.object({ id: ObjectId, type: GroupType, name: z.string(), ...timestamps }), {
    id: exampleIds.group_id,
    type: "contacts",
    name: "Patienten",
    ...exampleTimes,
  }),
);

const GroupFilters = once(() => pageQuery({ type: GroupType.optional() }));

const GroupCreate = once(() =>
  setExample(z.strictObject({ type: GroupType, name: Name }), { type: "contacts", name: "Patienten" }),
);
// A group's type can't be changed (D-group).
const GroupUpdate = once(() =>
  setExample(z.strictObject({ name: Name.optional() }), { name: "Patienten Mitte" }),
);

export const groups = defineOperations(
  {
    api: "public",
    about: "Groups of contacts, knowledge items, forwardings, glossary entries and pronunciation rules.",
    area: "groups",
  },
  {
    "groups.list": {
      method: "GET",
      path: "/groups",
      summary: "List groups",
      get query() {
        return GroupFilters();
      },
      responseShape: "page",
      get response() {
        return Group();
      },
    },
    "groups.create": {
      method: "POST",
      path: "/groups",
      summary: "Create a group",
      get body() {
        return GroupCreate();
      },
      responseShape: "item",
      get response() {
        return Group();
      },
      errors: [409],
    },
    "groups.get": {
      method: "GET",
      path: "/groups/{group_id}",
      summary: "Show a group",
      responseShape: "item",
      get response() {
        return Group();
      },
    },
    "groups.update": {
      method: "PATCH",
      path: "/groups/{group_id}",
      summary: "Rename a group",
      get body() {
        return GroupUpdate();
      },
      responseShape: "item",
      get response() {
        return Group();
      },
      errors: [409],
    },
    "groups.delete": {
      method: "DELETE",
      path: "/groups/{group_id}",
      summary: "Delete a group and everything in it",
      responseShape: "empty",
      errors: [409],
    },
  },
);

export type Group = z.output<ReturnType<typeof Group>>;
