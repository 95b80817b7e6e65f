/** The decisions for one target: the types shared by deciding, printing, sealing and applying. */

import type { Move } from "./binding.js";
import type { References } from "./codec.js";
import type { Verdict } from "./compare.js";
import type { ConfigObject, SecretSource } from "./folder/objects.js";
import type { Declared } from "./folder/open.js";
import type { Live, LiveRecord } from "./live.js";
import type { Lock, LockLine } from "./lock.js";
import type { ResourceSpec, ResourceTypeName } from "./resource-types/resource-type.js";

/** A secret that a file names, and whether it is sent. */
export interface SecretChange {
  field: string;
  source: SecretSource | null;
  /** The printed state. */
  state: "unchanged" | "changed" | "new" | "unknown" | "cleared";
  isSent: boolean;
  /** Why the state is unknown, or what is missing. */
  reason?: string;
}

/** A declared resource with its pending change. */
export interface ObjectChange {
  object: ConfigObject;
  /** Lock line of the resource, under the current key; for an adoption, the new line. */
  line: LockLine | undefined;
  /** The live resource; undefined if it will be created. */
  record: LiveRecord | undefined;
  action: "create" | "update" | "replace" | "none";
  /** The resource was deleted in the service and will be created again. */
  isRecreated: boolean;
  isAdopted: boolean;
  verdicts: ReadonlyMap<string, Verdict>;
  /** Fields to send; for a create, all fields. */
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

/** A reason that blocks applying. */
export interface Refusal {
  /** Identifier for scripts. */
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
  /** Exit code. 10: the user has to decide; 12: a gate or a threshold. */
  exit: 10 | 12;
  message: string;
  hint?: string;
}

export interface Decision {
  declared: Declared;
  lock: Lock;
  live: Live;
  references: References;
  /** Changes with any effect, even if only on the lock. */
  changes: readonly ObjectChange[];
  deletions: readonly Deletion[];
  moves: readonly Move[];
  /** Keys of lock lines to remove, because neither their file nor their resource exists. */
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

/** A limit for deletes or updates: a number, or a percentage of the bound resources of a type. */
export interface Bound {
  count?: number;
  percent?: number;
}

/** The options of a plan. */
export interface PlanOptions {
  drift: "refuse" | "keep" | "overwrite";
  resolve: "file" | "live" | undefined;
  adopt: boolean;
  /** Resource types to prune; undefined means none. */
  prune: readonly ResourceTypeName[] | undefined;
  pruneAdopted: boolean;
  only: readonly string[] | undefined;
  maxDelete: Bound | undefined;
  maxUpdate: Bound | undefined;
  rewriteSecrets: boolean;
}
