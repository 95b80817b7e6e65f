import type { LintRule } from "../lint-rule.js";
import { assistantNumber, assistantPrompt } from "./assistant-complete.js";
import { calendarClosed, calendarPast } from "./calendar-hours.js";
import { contactShared, contactUnreachable } from "./contact-reachable.js";
import { glossaryDouble, pronunciationDouble } from "./duplicate-terms.js";
import { forwardingTarget } from "./forwarding-target.js";
import { knowledgeDuplicate } from "./knowledge-duplicate.js";
import { knowledgeEmpty } from "./knowledge-empty.js";
import { knowledgeStale } from "./knowledge-stale.js";
import { knowledgeUnindexed } from "./knowledge-unindexed.js";
import { toolPlainHttp, webhookPlainHttp } from "./plain-http.js";
import { webhookMissing, webhookUnused } from "./pre-call-data.js";
import { promptGone } from "./prompt-gone.js";
import { pronunciationIgnored } from "./pronunciation-ignored.js";
import { pronunciationPhrase } from "./pronunciation-phrase.js";
import { groupUnused, toolUnused } from "./unused.js";

/** All lint rules, errors first. */
export const rules: readonly LintRule[] = [
  forwardingTarget,
  promptGone,
  pronunciationPhrase,
  knowledgeUnindexed,
  assistantNumber,
  assistantPrompt,
  webhookUnused,
  webhookMissing,
  webhookPlainHttp,
  toolPlainHttp,
  pronunciationIgnored,
  knowledgeEmpty,
  knowledgeDuplicate,
  glossaryDouble,
  pronunciationDouble,
  calendarClosed,
  calendarPast,
  knowledgeStale,
  groupUnused,
  toolUnused,
  contactUnreachable,
  contactShared,
];
