import type { Move } from "./binding.js";
import type { References } from "./codec.js";
import type { Verdict } from "./compare.js";
import type { ConfigObject, SecretSource } from "./folder/objects.js";
import type { Declared } from "./folder/open.js";
import type { Live, LiveRecord } from "./live.js";
import type { Lock, LockLine } from "./lock.js";
import type { ResourceSpec, ResourceTypeName } from "./resource-types/resource-type.js";

export interface SecretChange {
  field: string;
  source: SecretSource | null;
  state: "unchanged" | "changed" | "new" | "unknown" | "cleared";
  isSent: boolean;
  reason?: string;
}

export interface ObjectChange {
  object: ConfigObject;
  /** Lock entry under the current key. An adopted resource has a new entry. */
  line: LockLine | undefined;
  /** Undefined if the resource will be created. */
  record: LiveRecord | undefined;
  action: "create" | "update" | "replace" | "none";
  isRecreated: boolean;
  isAdopted: boolean;
  verdicts: ReadonlyMap<string, Verdict>;
  /** Fields to send. A create or replacement sends all fields, even those not in this set. */
  sends: ReadonlySet<string>;
  file: ReadonlyMap<string, string>;
  live: ReadonlyMap<string, string>;
  secrets: readonly SecretChange[];
}

export interface Deletion {
  line: LockLine;
  spec: ResourceSpec;
  record: LiveRecord;
}

export interface Refusal {
  reason:
    | "drift"
    | "conflict"
    | "gone"
    | "needs_adopt"
    | "ambiguous"
    | "unclear_move"
    | "threshold"
    | "unmanaged_items"
    | "last_group"
    | "in_use"
    | "replace"
    | "name_taken"
    | "not_found"
    | "incomplete"
    | "lost_letters"
    | "promotion";
  /** Exit code: 10 if the user must decide, 12 if a gate or a limit blocks the plan. */
  exit: 10 | 12;
  message: string;
  hint?: string;
}

export interface Decision {
  declared: Declared;
  lock: Lock;
  live: Live;
  references: References;
  /** Includes changes that affect only the lock file. */
  changes: readonly ObjectChange[];
  deletions: readonly Deletion[];
  moves: readonly Move[];
  /** Keys of lock entries to remove, because they have neither a file nor a live resource. */
  forgotten: readonly string[];
  candidates: readonly LockLine[];
  drift: readonly { key: string; fields: string[] }[];
  conflicts: readonly { key: string; fields: string[] }[];
  gone: readonly string[];
  needsAdopt: readonly { key: string; id: string }[];
  ambiguous: readonly { key: string; ids: readonly string[] }[];
  unclear: readonly string[];
  unmanaged: Readonly<Record<string, number>>;
  thresholds: readonly string[];
  refusals: readonly Refusal[];
}

/** Maximum number of deletions or updates. A percentage refers to the resources of one type. */
export interface Bound {
  count?: number;
  percent?: number;
}

export interface PlanOptions {
  drift: "refuse" | "keep" | "overwrite";
  resolve: "file" | "live" | undefined;
  adopt: boolean;
  /** Types whose resources are deleted if they have no file; undefined means none. */
  prune: readonly ResourceTypeName[] | undefined;
  pruneAdopted: boolean;
  only: readonly string[] | undefined;
  maxDelete: Bound | undefined;
  maxUpdate: Bound | undefined;
  rewriteSecrets: boolean;
}
