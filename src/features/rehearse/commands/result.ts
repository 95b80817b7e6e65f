import type { MirrorManifest } from "../../../contract/mirror.js";
import type { ClosedFork } from "../../../emulator/index.js";
import { findAssumptions } from "./assumptions.js";
import type { SealedEffect, Unsealable } from "./seal.js";
import type { Source } from "./source.js";

interface ResourceEffect {
  created: number;
  updated: number;
  deleted: number;
  /** Number of resources that were deleted together with their group. */
  cascaded: number;
}

export interface RehearsalResult {
  command: readonly string[];
  exit: number;
  mirror: { name: string; age_seconds: number; consistency: MirrorManifest["consistency"] };
  effect: Record<string, ResourceEffect>;
  reindexed: number;
  actions: { calls: number; recordings_erased: number };
  requests: {
    writes: number;
    reads: number;
    refused: readonly { operation: string; code: string; rule: string | null; count: number }[];
  };
  seconds: number;
  latency_ms: number;
  limits: MirrorManifest["limits"];
  absent_reads: Record<string, number>;
  assumed: readonly string[];
  guard: { mode: string; refused: number; advisory: boolean };
  undo: { full: number; new_id: number; partial: number; none: number } | null;
  plan: string | null;
  plan_id: string | null;
  steps: number | null;
  /** Path of the copy's database if the copy is kept. */
  emulator: string | null;
}

export function createResult(parts: {
  command: readonly string[];
  exit: number;
  source: Source;
  fork: ClosedFork;
  guard: { mode: string; refused: number; advisory: boolean };
  sealed: SealedEffect | Unsealable | undefined;
  plan: string | null;
  emulator: string | null;
  latencyMilliseconds: number;
}): RehearsalResult {
  const { source, fork, sealed } = parts;
  const { effect } = fork;
  const { manifest, name } = source.mirror;
  const isSealed = sealed !== undefined && "plan" in sealed;
  return {
    command: parts.command,
    exit: parts.exit,
    mirror: {
      name,
      age_seconds: source.ageSeconds,
      consistency: manifest.consistency,
    },
    effect: countEffects(fork),
    reindexed: effect.reindexed,
    actions: {
      calls: [...effect.changes.values()].filter(({ resource }) => resource === "calls").length,
      recordings_erased: [...effect.changes.values()].filter(({ action }) => action === "erased").length,
    },
    requests: { writes: effect.writes, reads: effect.reads, refused: effect.refused },
    seconds: Math.round(effect.seconds * 10) / 10,
    latency_ms: parts.latencyMilliseconds,
    limits: manifest.limits,
    absent_reads: countAbsentReads(fork),
    assumed: findAssumptions(fork, manifest),
    guard: parts.guard,
    undo: null,
    plan: isSealed ? parts.plan : null,
    plan_id: isSealed && parts.plan !== null ? sealed.plan.id : null,
    steps: isSealed ? sealed.plan.steps : null,
    emulator: parts.emulator,
  };
}

function countEffects({ effect, writes }: ClosedFork): Record<string, ResourceEffect> {
  const counts: Record<string, ResourceEffect> = {};
  const of = (resource: string) => {
    counts[resource] ??= { created: 0, updated: 0, deleted: 0, cascaded: 0 };
    return counts[resource];
  };
  for (const { resource, action } of effect.changes.values()) {
    if (resource === "calls" || action === "erased") continue;
    of(resource)[action] += 1;
  }
  for (const [resource, count] of effect.cascaded) of(resource).cascaded += count;
  // A replaced secret is not visible in the resource's fields, so count such updates from the requests.
  const replaced = new Set<string>();
  for (const { operation, path, body, effect: had } of writes()) {
    const [resource = "", verb] = operation.split(".");
    const name = `${resource}/${path.split("/").at(-1)}`;
    if (!had || verb !== "update" || effect.changes.has(name) || replaced.has(name)) continue;
    if (!JSON.stringify(body ?? null).includes('"$secret"')) continue;
    replaced.add(name);
    of(resource).updated += 1;
  }
  return counts;
}

function countAbsentReads({ effect }: ClosedFork): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { resource, reads } of effect.absentReads) counts[resource] = (counts[resource] ?? 0) + reads;
  return counts;
}
