import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { exampleIds, exampleTime, exampleTimes, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { Name, ObjectId, pageQuery, Timestamp, timestamps } from "../primitives.js";
import { LongText } from "../primitives-texts.js";

/** public.knowledge.sync */
const syncStates = ["pending", "syncing", "synced", "failed"] as const;

const SyncStatus = ruled(
  "public.knowledge.sync",
  z.object({
    state: z.enum(syncStates),
    updated_at: assumed("D-knowledge", Timestamp),
    // The error is null in all states except `failed` (D-knowledge).
    error: assumed("D-knowledge", z.string().nullable()),
  }),
);

/** A knowledge item without `text`, as returned by GET for lists, POST and PATCH (public.knowledge.text). */
const KnowledgeItem = z.object({
  id: ObjectId,
  group_id: ObjectId,
  name: z.string(),
  active: z.boolean(),
  sync_status: SyncStatus,
  ...timestamps,
});

const KnowledgeItemDetail = z.object({ ...KnowledgeItem.shape, text: z.string() });

const Active = z.boolean("must be true or false");

const KnowledgeItemCreate = z.strictObject({
  group_id: ObjectId,
  name: Name,
  text: LongText,
  active: Active.default(true),
});

const KnowledgeItemUpdate = z.strictObject({
  group_id: ObjectId.optional(),
  name: Name.optional(),
  text: LongText.optional(),
  active: Active.optional(),
});

const knowledgeItem: z.input<typeof KnowledgeItem> = {
  id: exampleIds.knowledge_item_id,
  group_id: exampleIds.group_id,
  name: "Parken",
  active: true,
  sync_status: { state: "synced", updated_at: exampleTime, error: null },
  ...exampleTimes,
};
setExample(KnowledgeItem, knowledgeItem);
setExample(KnowledgeItemDetail, {
  ...knowledgeItem,
  text: "Hinter dem Haus sind zwei Plätze für Patienten. Die Einfahrt ist neben der Apotheke.",
});
setExample(KnowledgeItemCreate, {
  group_id: exampleIds.group_id,
  name: "Parken",
  text: "Hinter dem Haus sind zwei Plätze für Patienten. Die Einfahrt ist neben der Apotheke.",
});
setExample(KnowledgeItemUpdate, { text: "Hinter dem Haus sind drei Plätze für Patienten." });

export const knowledge = defineOperations(
  {
    api: "public",
    about: "Texts that assistants use to answer questions.",
    area: "knowledge",
    feature: "knowledge",
  },
  {
    "knowledge.list": {
      method: "GET",
      path: "/knowledge-items",
      summary: "List knowledge items",
      query: pageQuery({ group_id: ObjectId.optional() }),
      responseShape: "page",
      response: KnowledgeItem,
    },
    "knowledge.create": {
      method: "POST",
      path: "/knowledge-items",
      summary: "Create a knowledge item",
      body: KnowledgeItemCreate,
      responseShape: "item",
      response: KnowledgeItem,
      errors: [404],
    },
    "knowledge.get": {
      method: "GET",
      path: "/knowledge-items/{knowledge_item_id}",
      summary: "Show a knowledge item",
      responseShape: "item",
      response: KnowledgeItemDetail,
    },
    "knowledge.update": {
      method: "PATCH",
      path: "/knowledge-items/{knowledge_item_id}",
      summary: "Change a knowledge item and index it again",
      body: KnowledgeItemUpdate,
      responseShape: "item",
      response: KnowledgeItem,
    },
    "knowledge.delete": {
      method: "DELETE",
      path: "/knowledge-items/{knowledge_item_id}",
      summary: "Delete a knowledge item",
      responseShape: "empty",
    },
  },
);

export type KnowledgeItem = z.output<typeof KnowledgeItem>;
export type SyncState = (typeof syncStates)[number];
