import { inflect } from "../../../base/text.js";
import type { LintRule } from "../lint-rule.js";
import {
  getId,
  getInstant,
  getObject,
  getText,
  type Organization,
  type ResourceRecord,
} from "../organization.js";

const hourMilliseconds = 3_600_000;

export const knowledgeUnindexed: LintRule = {
  id: "knowledge-unindexed",
  severity: "error",
  // The service doesn't retry a `failed` item, and an item whose queue failed stays `pending`. Saving an item indexes
  // it again (public.knowledge.sync).
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
    return `indexing failed${reason === "" ? "" : ` (${reason})`}, so assistants can't use it`;
  }
  if (state !== "pending" && state !== "syncing") return undefined;
  const since = getInstant(status, "updated_at") ?? getInstant(item, "updated_at");
  if (since === undefined || now - since < hourMilliseconds) return undefined;
  const hours = Math.floor((now - since) / hourMilliseconds);
  return `has been ${state} for ${inflect(hours, "an hour", `${hours} hours`)}, so assistants can't use it`;
}
