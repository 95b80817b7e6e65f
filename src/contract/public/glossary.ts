import * as z from "zod";
import { assumed, requiredBy } from "../assumed.js";
import { defineOperations } from "../operation.js";
import { Name, ObjectId, OptionalText, pageQuery, timestamps } from "../primitives.js";
import { ImmutableGroup } from "../primitives-items.js";

/** D-glossary */
const Glossary = z.object({
  id: ObjectId,
  group_id: ObjectId,
  term: assumed("D-glossary", z.string()),
  definition: assumed("D-glossary", z.string()),
  ...timestamps,
});

const GlossaryCreate = z.strictObject({
  group_id: ObjectId,
  term: requiredBy("D-glossary", Name),
  definition: OptionalText.default(""),
});

const GlossaryUpdate = z.strictObject({
  group_id: ImmutableGroup.optional(),
  term: Name.optional(),
  definition: OptionalText.optional(),
});

export const glossary = defineOperations({
  "glossary.list": {
    surface: "public",
    method: "GET",
    path: "/glossary",
    summary: "List glossary entries",
    query: pageQuery({ group_id: ObjectId.optional() }),
    answer: "page",
    response: Glossary,
    success: 200,
    errors: [400],
    bucket: "read",
    permission: "glossary:read",
    feature: null,
  },
  "glossary.create": {
    surface: "public",
    method: "POST",
    path: "/glossary",
    summary: "Create a glossary entry",
    body: GlossaryCreate,
    answer: "item",
    response: Glossary,
    success: 201,
    errors: [400, 404],
    bucket: "write",
    permission: "glossary:write",
    feature: null,
  },
  "glossary.get": {
    surface: "public",
    method: "GET",
    path: "/glossary/{glossary_id}",
    summary: "Show a glossary entry",
    answer: "item",
    response: Glossary,
    success: 200,
    errors: [400, 404],
    bucket: "read",
    permission: "glossary:read",
    feature: null,
  },
  "glossary.update": {
    surface: "public",
    method: "PATCH",
    path: "/glossary/{glossary_id}",
    summary: "Change a glossary entry",
    body: GlossaryUpdate,
    answer: "item",
    response: Glossary,
    success: 200,
    errors: [400, 404],
    bucket: "write",
    permission: "glossary:write",
    feature: null,
  },
  "glossary.delete": {
    surface: "public",
    method: "DELETE",
    path: "/glossary/{glossary_id}",
    summary: "Delete a glossary entry",
    answer: "empty",
    success: 200,
    errors: [400, 404],
    bucket: "write",
    permission: "glossary:delete",
    feature: null,
  },
});

export type Glossary = z.output<typeof Glossary>;
