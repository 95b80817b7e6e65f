import { recording, statistics, suite, trigger } from "./calls.js";
import { configuration } from "./config/apply.js";
import { configurationResumed } from "./config/interrupted.js";
import { configurationNames } from "./config/names.js";
import { configurationPlan } from "./config/plans.js";
import { configurationPrune } from "./config/prune.js";
import { configurationPull } from "./config/pull.js";
import { configurationSecrets } from "./config/secrets.js";
import {
  exportJob,
  importJob,
  resume,
  secondRun,
  undo,
  undoAfterOtherWrites,
  undoOfUpdates,
} from "./contacts.js";
import { callsExport, edit, searchAndDelete } from "./everyday.js";
import type { Job } from "./job.js";
import { folderImport, folderSync, glossaryImport, glossarySync, wait } from "./knowledge.js";
import { listing } from "./lists.js";
import {
  billing,
  converging,
  plannedConverging,
  provisioning,
  provisioningUndo,
  usage,
} from "./organizations.js";
import { apply, applyResumed, undoOfApply } from "./plans.js";
import { subjectErasure } from "./subject.js";
import { dedupe, plannedSync, sync, syncResumed } from "./sync.js";

/** Jobs by name. The names are column headings in docs/conformance.md. */
export const jobs = {
  import: importJob,
  "second run": secondRun,
  resume,
  undo,
  "undo after other changes": undoAfterOtherWrites,
  "undo of updates": undoOfUpdates,
  apply,
  "apply after a kill": applyResumed,
  "undo of apply": undoOfApply,
  "subject erase": subjectErasure,
  config: configuration,
  "config after a kill": configurationResumed,
  "config pull": configurationPull,
  "config secrets": configurationSecrets,
  "config prune": configurationPrune,
  "config renames": configurationNames,
  "config plan": configurationPlan,
  sync,
  "sync after a kill": syncResumed,
  "planned sync": plannedSync,
  dedupe,
  "search and delete": searchAndDelete,
  edit,
  lists: listing,
  export: exportJob,
  "directory import": folderImport,
  "directory sync": folderSync,
  "glossary import": glossaryImport,
  "glossary sync": glossarySync,
  wait,
  trigger,
  recording,
  "calls export": callsExport,
  statistics,
  provisioning,
  "provisioning undo": provisioningUndo,
  converging,
  "planned converging": plannedConverging,
  usage,
  billing,
  suite,
} as const satisfies Record<string, Job>;

export type JobName = keyof typeof jobs;

export const jobNames = Object.keys(jobs) as JobName[];
