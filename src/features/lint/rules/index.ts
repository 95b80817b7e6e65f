import { bySeverity, type LintRule } from "../lint-rule.js";
import * as assistantComplete from "./assistant-complete.js";
import * as calendarHours from "./calendar-hours.js";
import * as contactReachable from "./contact-reachable.js";
import * as duplicateTerms from "./duplicate-terms.js";
import * as forwardingTarget from "./forwarding-target.js";
import * as knowledge from "./knowledge.js";
import * as plainHttp from "./plain-http.js";
import * as preCallData from "./pre-call-data.js";
import * as promptGone from "./prompt-gone.js";
import * as pronunciation from "./pronunciation.js";
import * as unused from "./unused.js";

const files: readonly Readonly<Record<string, LintRule>>[] = [
  ...[assistantComplete, calendarHours, contactReachable, duplicateTerms, forwardingTarget, knowledge],
  ...[plainHttp, preCallData, promptGone, pronunciation, unused],
];

export const rules: readonly LintRule[] = files.flatMap((file) => Object.values(file)).toSorted(bySeverity);
