import type { KnowledgeItem, knowledge } from "../../contract/public/knowledge.js";
import type { Handlers, PublicContext } from "../context.js";
import { ColumnTable } from "../kernel/column-table.js";
import type { Stored } from "../kernel/table.js";
import { requireGroup } from "./groups.js";
import { computeSyncStatus, type IndexingEnd } from "./knowledge-indexing.js";

interface Row extends Stored {
  group_id: string;
  name: string;
  active: boolean;
  indexing_asked_at: number;
  indexing_ends: IndexingEnd;
}

const table = new ColumnTable<Row>("knowledge_items", "the knowledge item", {
  group_id: "text",
  name: "text",
  active: "boolean",
  indexing_asked_at: "number",
  indexing_ends: "text",
});

/** Returns an item without its text. Only GET returns `text` (public.knowledge.text). */
function toKnowledgeItem(context: PublicContext, row: Row): KnowledgeItem {
  const { indexing_asked_at, indexing_ends, created_at, updated_at, ...fields } = row;
  const sync_status = computeSyncStatus(context.now, indexing_asked_at, indexing_ends);
  return { ...fields, sync_status, created_at, updated_at }; // public.knowledge.sync
}

/** Counts faults as used; if the queue is down, `index_failure` is not used up. */
function indexingEnd(context: PublicContext): IndexingEnd {
  if (context.strikes("index_queue_down")) return "lost";
  return context.strikes("index_failure") ? "failed" : "synced"; // public.states.failed
}

// Every valid PATCH requests indexing, even an empty one (public.states.patch, public.operations.2, D-body).
// The new request replaces an earlier one that is still in progress.
function askForIndexing(context: PublicContext, id: string): void {
  context.database
    .prepare("UPDATE knowledge_items SET indexing_asked_at = ?, indexing_ends = ? WHERE id = ?")
    .run(context.now, indexingEnd(context), id);
}

function writeText(context: PublicContext, id: string, text: string): void {
  context.database
    .prepare(
      "INSERT INTO knowledge_texts (knowledge_item_id, text) VALUES (?, ?) ON CONFLICT DO UPDATE SET text = excluded.text",
    )
    .run(id, text);
}

// Sets the update time, because a change of the text writes only the table of texts (D-times).
function touch(context: PublicContext, id: string): void {
  context.database.prepare("UPDATE knowledge_items SET updated_at = ? WHERE id = ?").run(context.now, id);
}

function readText(context: PublicContext, id: string): string {
  const row = context.database
    .prepare("SELECT text FROM knowledge_texts WHERE knowledge_item_id = ?")
    .get(id);
  return String(row?.["text"] ?? "");
}

export const knowledgeHandlers: Handlers<typeof knowledge> = {
  "knowledge.list": (context, { query }) => {
    const page = table.page(context, query, { group_id: query.group_id });
    return { ...page, rows: page.rows.map((row) => toKnowledgeItem(context, row)) };
  },

  "knowledge.create": (context, { body }) => {
    requireGroup(context, body.group_id, "knowledges", "public.group.own-type");
    // public.states.create
    const row = table.insert(context, {
      ...body,
      indexing_asked_at: context.now,
      indexing_ends: indexingEnd(context),
    });
    writeText(context, row.id, body.text);
    return toKnowledgeItem(context, row);
  },

  "knowledge.get": (context, { path }) => {
    const row = table.require(context, path.knowledge_item_id);
    return { ...toKnowledgeItem(context, row), text: readText(context, row.id) };
  },

  "knowledge.update": (context, { path, body }) => {
    const { id } = table.require(context, path.knowledge_item_id);
    if (body.group_id !== undefined)
      requireGroup(context, body.group_id, "knowledges", "public.group.own-type");
    table.update(context, id, body);
    if (body.text !== undefined) {
      writeText(context, id, body.text);
      touch(context, id);
    }
    askForIndexing(context, id); // public.states.patch, public.operations.2
    return toKnowledgeItem(context, table.require(context, id));
  },

  "knowledge.delete": (context, { path }) => table.delete(context, path.knowledge_item_id),
};
