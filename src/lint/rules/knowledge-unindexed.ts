import { idOf, instant, type Organization, object, type Thing, text } from "../organization.js";
import type { LintRule } from "../rule.js";

const hourMilliseconds = 3_600_000;

export const knowledgeUnindexed: LintRule = {
  id: "knowledge-unindexed",
  severity: "error",
  // public.knowledge.sync: `failed` is final, and a queue that failed leaves an item `pending`; a save indexes it again.
  summary: "Active knowledge items are indexed, or have been waiting for it for less than an hour",
  resource: "knowledge",
  isOfService: true,
  *check(organization) {
    for (const thing of organization.things("knowledge")) {
      const message = thing["active"] === false ? undefined : flawOf(thing, organization);
      if (message === undefined) continue;
      yield {
        thing,
        message,
        help: `voxctl knowledge update ${idOf(thing)} --active`,
        fix: { action: "reindex" },
      };
    }
  },
};

function flawOf(thing: Thing, { now }: Organization): string | undefined {
  const status = object(thing, "sync_status");
  const state = text(status, "state");
  if (state === "failed") {
    const reason = text(status, "error");
    return `its indexing failed${reason === "" ? "" : ` (${reason})`}: assistants don't know it`;
  }
  if (state !== "pending" && state !== "syncing") return undefined;
  const since = instant(status, "updated_at") ?? instant(thing, "updated_at");
  if (since === undefined || now - since < hourMilliseconds) return undefined;
  const hours = Math.floor((now - since) / hourMilliseconds);
  return `it has been ${state} for ${hours === 1 ? "an hour" : `${hours} hours`}: assistants don't know it`;
}
