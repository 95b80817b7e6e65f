import { inflect } from "../../../base/text.js";
import { parseTimestamp } from "../../../base/time-text.js";
import type { LintRule } from "../lint-rule.js";
import {
  getId,
  getLabel,
  getObject,
  getText,
  type Organization,
  type ResourceRecord,
} from "../organization.js";
import { findSimilarPairs } from "../similar.js";

const hourMilliseconds = 3_600_000;

export const knowledgeUnindexed: LintRule = {
  id: "knowledge-unindexed",
  severity: "error",
  // The service doesn't retry a `failed` item by itself. An item that could not be queued stays `pending`.
  // Saving an item indexes it again (public.knowledge.sync).
  summary: "Active knowledge items are indexed within an hour",
  resource: "knowledge",
  isOfService: true,
  *check(organization) {
    for (const item of organization.records("knowledge")) {
      const message = item["active"] === false ? undefined : findFlaw(item, organization);
      if (message === undefined) continue;
      yield {
        record: item,
        message,
        help: `voxctl knowledge update ${getId(item)} --active`,
        fix: { action: "reindex" },
      };
    }
  },
};

function findFlaw(item: ResourceRecord, { now }: Organization): string | undefined {
  const status = getObject(item, "sync_status");
  const state = getText(status, "state");
  if (state === "failed") {
    const reason = getText(status, "error");
    return `could not be indexed${reason === "" ? "" : ` (${reason})`}, so assistants can't use it`;
  }
  if (state !== "pending" && state !== "syncing") return undefined;
  const since = parseTimestamp(status?.["updated_at"]) ?? parseTimestamp(item["updated_at"]);
  if (since === undefined || now - since < hourMilliseconds) return undefined;
  const hours = Math.floor((now - since) / hourMilliseconds);
  return `has been ${state} for ${inflect(hours, "an hour", `${hours} hours`)}, so assistants can't use it`;
}

export const knowledgeEmpty: LintRule = {
  id: "knowledge-empty",
  severity: "warning",
  summary: "Every knowledge item contains text",
  resource: "knowledge",
  readsTexts: true,
  *check({ records }) {
    for (const item of records("knowledge")) {
      if (typeof item["text"] !== "string" || getText(item, "text").trim() !== "") continue;
      yield {
        record: item,
        message: "contains no text",
        help: `voxctl knowledge update ${getId(item)} --text @<file>`,
      };
    }
  },
};

export const knowledgeDuplicate: LintRule = {
  id: "knowledge-duplicate",
  severity: "warning",
  summary:
    "No two active knowledge items have nearly the same text (90% or more of their five-word sequences match)",
  resource: "knowledge",
  readsTexts: true,
  *check({ records }) {
    const items = records("knowledge").filter(
      (item) => item["active"] !== false && getText(item, "text") !== "",
    );
    for (const [first, second] of findSimilarPairs(items.map((item) => getText(item, "text")))) {
      const [item, duplicate] = [items[first], items[second]];
      if (item === undefined || duplicate === undefined) continue;
      yield {
        record: duplicate,
        message: `has nearly the same text as "${getLabel(item)}" (${getId(item)})`,
        help: `voxctl knowledge delete ${getId(duplicate)}`,
      };
    }
  },
};

const yearMilliseconds = 365 * 86_400_000;

export const knowledgeStale: LintRule = {
  id: "knowledge-stale",
  severity: "note",
  summary: "Every knowledge item was changed within the last year",
  resource: "knowledge",
  isOfService: true,
  *check({ records, now }) {
    for (const item of records("knowledge")) {
      const changed = parseTimestamp(item["updated_at"]);
      if (item["active"] === false || changed === undefined || now - changed < yearMilliseconds) continue;
      yield {
        record: item,
        message: `was last changed on ${new Date(changed).toISOString().slice(0, 10)}; check whether it is still correct`,
        help: `voxctl knowledge get ${getId(item)}`,
      };
    }
  },
};
