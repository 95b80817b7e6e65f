import type { Glossary, glossary } from "../../contract/public/glossary.js";
import { type Handlers, markSingleStatement } from "../context.js";
import { Table } from "../kernel/table.js";
import { requireGroup } from "./groups.js";

const table = new Table<Glossary>("glossary_items", "the glossary entry", {
  columns: ["group_id"],
  members: ["term", "definition"],
  areLong: true,
});

export { table as glossaryTable };

export const glossaryHandlers: Handlers<typeof glossary> = {
  "glossary.list": (context, { query }) => table.page(context, query, { group_id: query.group_id }),

  "glossary.create": markSingleStatement((context, { body }) => {
    requireGroup(context, body.group_id, "glossaries", "public.operations.10");
    return table.insert(context, body);
  }),

  "glossary.get": (context, { path }) => table.get(context, path.glossary_id),

  // public.operations.9
  "glossary.update": markSingleStatement((context, { path, body }) =>
    table.update(context, table.require(context, path.glossary_id), body),
  ),

  "glossary.delete": markSingleStatement((context, { path }) => table.delete(context, path.glossary_id)),
};
