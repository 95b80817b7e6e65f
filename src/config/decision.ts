/** The decisions of a plan for one target: the words between deciding, printing, sealing and applying. */

import type { Move } from "./binding.js";
import type { References } from "./codec.js";
import type { Verdict } from "./compare.js";
import type { ConfigObject, SecretSource } from "./folder/objects.js";
import type { Declared } from "./folder/open.js";
import type { Live, LiveRecord } from "./live.js";
import type { Lock, LockLine } from "./lock.js";
import type { ResourceSpec, ResourceTypeName } from "./resource-types/resource-type.js";

/** A secret that a file names, and whether it is sent (S3). */
export interface SecretChange {
  field: string;
  source: SecretSource | null;
  /** As it is printed (S6). */
  state: "unchanged" | "changed" | "new" | "unknown" | "cleared";
  isSent: boolean;
  /** Why it can't be told, or what is missing. */
  reason?: string;
}

/** One declared thing with what is to be done about it. */
export interface ObjectChange {
  object: ConfigObject;
  /** Its line, under its present key; of an adoption one that is yet to be written. */
  line: LockLine | undefined;
  /** The thing as it is live; undefined where it is to be created. */
  record: LiveRecord | undefined;
  action: "create" | "update" | "replace" | "none";
  /** It was there and is gone, and is created again. */
  isRecreated: boolean;
  isAdopted: boolean;
  verdicts: ReadonlyMap<string, Verdict>;
  /** Fields that are sent; of a create all. */
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

/** Something that stands in the way of applying. */
export interface Refusal {
  /** A word for scripts. */
  reason:
    | "drift"
    | "conflict"
    | "gone"
    | "needs_adopt"
    | "ambiguous"
    | "unclear_move"
    | "threshold"
    | "strangers"
    | "last_group"
    | "in_use"
    | "replace"
    | "name_taken"
    | "not_found"
    | "incomplete"
    | "lost_letters"
    | "promotion";
  /** 10: a person has to look; 12: a gate or a threshold. */
  exit: 10 | 12;
  message: string;
  hint?: string;
}

export interface Decision {
  declared: Declared;
  lock: Lock;
  live: Live;
  references: References;
  /** Those that have any effect, the lock included. */
  changes: readonly ObjectChange[];
  deletions: readonly Deletion[];
  moves: readonly Move[];
  /** Lines that go, since neither file nor thing is there. */
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

/** A bound on deletes or updates: a number, or a percentage of a kind's bound things. */
export interface Bound {
  count?: number;
  percent?: number;
}

/** How far a plan goes. */
export interface PlanOptions {
  drift: "refuse" | "keep" | "overwrite";
  resolve: "file" | "live" | undefined;
  adopt: boolean;
  /** The kinds to prune; undefined: none. */
  prune: readonly ResourceTypeName[] | undefined;
  pruneAdopted: boolean;
  only: readonly string[] | undefined;
  maxDelete: Bound | undefined;
  maxUpdate: Bound | undefined;
  rewriteSecrets: boolean;
}
