import * as z from "zod";
import { assumed, requiredBy } from "../assumed.js";
import { exampleIds, exampleTimes, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { Name, ObjectId, pageQuery, timestamps } from "../primitives.js";
import { ImmutableGroup } from "../primitives-items.js";
import { OptionalText } from "../primitives-texts.js";

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

setExample(Glossary, {
  id: exampleIds.glossary_id,
  group_id: exampleIds.group_id,
  term: "PZR",
  definition: "Professionelle Zahnreinigung",
  ...exampleTimes,
});
setExample(GlossaryCreate, {
  group_id: exampleIds.group_id,
  term: "PZR",
  definition: "Professionelle Zahnreinigung",
});
setExample(GlossaryUpdate, { definition: "Professionelle Zahnreinigung, etwa 45 Minuten" });

export const glossary = defineOperations(
  { api: "public", about: "Terms with their definitions.", area: "glossary" },
  {
    "glossary.list": {
      method: "GET",
      path: "/glossary",
      summary: "List glossary entries",
      query: pageQuery({ group_id: ObjectId.optional() }),
      responseShape: "page",
      response: Glossary,
    },
    "glossary.create": {
      method: "POST",
      path: "/glossary",
      summary: "Create a glossary entry",
      body: GlossaryCreate,
      responseShape: "item",
      response: Glossary,
      errors: [404],
    },
    "glossary.get": {
      method: "GET",
      path: "/glossary/{glossary_id}",
      summary: "Show a glossary entry",
      responseShape: "item",
      response: Glossary,
    },
    "glossary.update": {
      method: "PATCH",
      path: "/glossary/{glossary_id}",
      summary: "Change a glossary entry",
      body: GlossaryUpdate,
      responseShape: "item",
      response: Glossary,
    },
    "glossary.delete": {
      method: "DELETE",
      path: "/glossary/{glossary_id}",
      summary: "Delete a glossary entry",
      responseShape: "empty",
    },
  },
);

export type Glossary = z.output<typeof Glossary>;
