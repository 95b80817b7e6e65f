/** Updates a lock in two stages: first without requests, then with the result of each step. */
import * as z from "zod";
import { normalizedText } from "../../write/fields.js";
import type { StepResult } from "../../write/plan/task.js";
import { specOfKey } from "./binding.js";
import {
  headerIn,
  headersOf,
  liveHashes,
  nothing,
  type References,
  referenceKeyOf,
  specOf,
} from "./codec.js";
import type { Decision, ObjectChange } from "./decision.js";
import { type KeptHashes, keptHashesOf, type Lock, type LockLine, type SecretState } from "./lock.js";
import { findResourceType } from "./resource-types/index.js";
import type { FieldSpec, ResourceSpec } from "./resource-types/resource-type.js";
import { type Fingerprints, stateAfter } from "./secrets.js";

/** Maximum number of groups, and of assistants, whose IDs are stored to identify an organization. */
const anchorsOfEach = 3;

/** A field that a step will send. The service's value is not known yet. `reference` is a key. */
const Pending = z.strictObject({ sent: z.string(), reference: z.string().optional() });

const Entry = z.strictObject({
  /** Undefined until a step creates the resource. */
  id: z.string().optional(),
  made: z.boolean(),
  source: z.string(),
  applied: z.record(z.string(), z.union([z.tuple([z.string(), z.string()]), z.string()])),
  pending: z.record(z.string(), Pending),
  secrets: z.record(z.string(), z.record(z.string(), z.union([z.string(), z.int()]))),
  sent: z.record(z.string(), z.strictObject({ from: z.string(), version: z.int().optional() })),
});
type Entry = z.output<typeof Entry>;

/** Changes to the lock file. A plan file contains them, so that another user can apply the plan. */
export const LockEdits = z.strictObject({
  project: z.string(),
  base_url: z.string(),
  anchors: z.array(z.string()),
  moves: z.array(z.strictObject({ from: z.string(), to: z.string() })),
  drops: z.array(z.string()),
  lines: z.record(z.string(), Entry),
});
export type LockEdits = z.output<typeof LockEdits>;

export function lockEditsOf(decision: Decision, baseUrl: string, project: string): LockEdits {
  const { lock, changes, moves, forgotten } = decision;
  const lines: Record<string, Entry> = {};
  for (const change of changes) {
    const entry = entryOf(change);
    if (entry !== undefined && !isSameEntry(entry, lock.lines.get(change.object.key)))
      lines[change.object.key] = entry;
  }
  const anchors = lockAnchorsOf(decision);
  return { project, base_url: baseUrl, anchors, moves: [...moves], drops: [...forgotten], lines };
}

/** Returns the anchors for the lock. Keeps stored anchors, so that the file's first line rarely changes. */
export function lockAnchorsOf(decision: Decision): string[] {
  const { anchors } = decision.lock;
  return anchors.length > 0 ? anchors : anchorsOf(decision);
}

/** Returns the IDs of the oldest groups and assistants, which identify the organization. */
export function anchorsOf({ live, deletions }: Decision): string[] {
  const going = new Set(deletions.map(({ line }) => line.id));
  return ["groups", "assistants"].flatMap((resource) =>
    [...live.records(resource)]
      .filter(([id]) => !going.has(id))
      .sort(([, left], [, right]) =>
        String(left["created_at"] ?? "") < String(right["created_at"] ?? "") ? -1 : 1,
      )
      .slice(0, anchorsOfEach)
      .map(([id]) => id),
  );
}

function entryOf({
  object,
  line,
  action,
  verdicts,
  sends,
  file,
  live,
  secrets,
  isRecreated,
  isAdopted,
}: ObjectChange): Entry | undefined {
  const isCreated = action === "create" || action === "replace";
  if (line === undefined && !isCreated) return undefined;
  // Keep the lock entry of a resource that was deleted and will not be created again.
  if (!isCreated && verdicts.size === 0 && !isAdopted && !isRecreated) return undefined;
  const applied: Record<string, KeptHashes> = {};
  const pending: Entry["pending"] = {};
  for (const [field, hash] of file) {
    const reference = referenceKeyOf(object, field);
    const verdict = verdicts.get(field);
    const kept = line?.applied[field];
    if (isCreated || sends.has(field))
      pending[field] = { sent: hash, ...(reference === undefined ? {} : { reference }) };
    else if (verdict === "agreed" || verdict === "first_equal" || verdict === "newly_equal")
      applied[field] = keptHashesOf(hash, live.get(field) ?? nothing, reference);
    else if (kept !== undefined) applied[field] = kept;
  }
  const states: Entry["secrets"] = {};
  const sent: Entry["sent"] = {};
  // Keep the state of a secret that was removed from the file, because `pull` would otherwise add a
  // placeholder for the secret. A removed header needs no state, because the headers themselves show the
  // removal.
  for (const [field, state] of Object.entries(line?.secrets ?? {}))
    if (!isCreated && !object.secrets.has(field) && headersOf(object.spec, field) === undefined)
      states[field] = state;
  for (const { field, source, isSent } of secrets) {
    const state = isCreated ? undefined : line?.secrets?.[field];
    if (isSent && source !== null)
      sent[field] = {
        from: source.from,
        ...(source.version === undefined ? {} : { version: source.version }),
      };
    else if (source !== null && state !== undefined) states[field] = state;
  }
  return {
    ...(isCreated || line === undefined ? {} : { id: line.id }),
    made: isCreated ? true : (line?.made ?? false),
    source: object.source,
    applied,
    pending,
    secrets: states,
    sent,
  };
}

function isSameEntry(entry: Entry, line: LockLine | undefined): boolean {
  if (line === undefined || Object.keys(entry.pending).length + Object.keys(entry.sent).length > 0)
    return false;
  const plain = (value: Pick<LockLine, "id" | "made" | "source" | "applied" | "secrets">) =>
    JSON.stringify([value.id, value.made, value.source, sorted(value.applied), sorted(value.secrets ?? {})]);
  return plain({ ...entry, id: entry.id ?? "" }) === plain(line);
}

function sorted(record: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1));
}

/** Applies all changes that need no requests. */
export function applyEditsAtOnce(lock: Lock, { base_url, anchors, moves, drops, lines }: LockEdits): void {
  lock.base_url = base_url;
  lock.anchors = anchors;
  for (const { from, to } of moves) {
    const line = lock.lines.get(from);
    if (line === undefined) continue;
    lock.lines.delete(from);
    lock.lines.set(to, { ...line, key: to });
  }
  for (const key of drops) lock.lines.delete(key);
  for (const [key, entry] of Object.entries(lines)) {
    if (entry.id === undefined) continue;
    const before = lock.lines.get(key);
    // Keep the last applied values until the response arrives.
    const kept = Object.keys(entry.pending).flatMap((field) => {
      const applied = before?.applied[field];
      return applied === undefined ? [] : [[field, applied] as const];
    });
    const unsent = Object.keys(entry.sent).flatMap((field) => {
      const state = before?.secrets?.[field];
      return state === undefined ? [] : [[field, state] as const];
    });
    lock.lines.set(key, {
      key,
      id: entry.id,
      made: entry.made,
      source: Object.keys(entry.pending).length > 0 ? (before?.source ?? "") : entry.source,
      applied: { ...entry.applied, ...Object.fromEntries(kept) },
      secrets: { ...entry.secrets, ...Object.fromEntries(unsent) },
    });
  }
}

interface ResultContext {
  edits: LockEdits;
  references(lock: Lock): References;
  secret(from: string): string | undefined;
  fingerprints: Fingerprints | undefined;
}

/** Updates the lock with the response to a step, because the service may normalize values. */
export function applyResult(lock: Lock, { step, id, data }: StepResult, context: ResultContext): void {
  const { key } = step;
  if (key === undefined) return;
  if (step.op.endsWith(".delete")) {
    // After a replacement, the key belongs to the new resource, so keep the lock entry.
    if (lock.lines.get(key)?.id === id) lock.lines.delete(key);
    return;
  }
  const entry = context.edits.lines[key];
  const spec = specOfKey(key);
  const resourceType = findResourceType(key);
  if (entry === undefined || spec === undefined || resourceType === undefined || data === undefined) return;
  const before: LockLine = lock.lines.get(key) ?? {
    key,
    id,
    made: entry.made,
    source: entry.source,
    applied: {},
  };
  lock.lines.set(key, {
    ...before,
    id,
    made: entry.made,
    source: entry.source,
    applied: { ...entry.applied },
  });
  const returnedHashes = liveHashes(
    { spec, resourceType },
    data,
    context.references(lock),
    Object.keys(entry.pending),
    new Set([...Object.keys(entry.sent), ...Object.keys(entry.secrets)]),
  );
  const applied: Record<string, KeptHashes> = { ...entry.applied };
  for (const [field, { sent, reference }] of Object.entries(entry.pending)) {
    if (!isShown(specOf(spec, field), field, data)) {
      // Responses from the journal lack values that were sent as references. Keep the hashes of these values.
      const kept = before.applied[field];
      if (Array.isArray(kept) && kept[0] === sent) applied[field] = kept;
      continue;
    }
    const own = isOurs(spec, field, step.body ?? {}, data) ? (returnedHashes.get(field) ?? nothing) : sent;
    applied[field] = keptHashesOf(sent, own, reference);
  }
  const secrets = { ...entry.secrets };
  for (const [field, { from, version }] of Object.entries(entry.sent)) {
    const value = context.secret(from);
    const headers = headersOf(spec, field);
    const shown = headers === undefined ? undefined : headerIn(data, headers, field);
    if (value === undefined) continue;
    const state = stateAfter({ version }, value, context.fingerprints, shown);
    const kept = before.secrets?.[field];
    const isKept = headers !== undefined && shown === undefined && includesState(kept, state);
    secrets[field] = isKept && kept !== undefined ? kept : state;
  }
  lock.lines.set(key, { key, id, made: entry.made, source: entry.source, applied, secrets });
}

function includesState(kept: SecretState | undefined, state: SecretState): boolean {
  return Object.entries(state).every(([name, value]) => kept?.[name] === value);
}

/**
 * Returns whether the sent and the returned text are equal after normalization. If not, another user changed
 * the text. Checks only fields that lists omit.
 */
function isOurs(
  { fields, unlisted = [] }: ResourceSpec,
  field: string,
  body: Readonly<Record<string, unknown>>,
  data: Readonly<Record<string, unknown>>,
): boolean {
  const api = fields.find(({ name }) => name === field)?.api ?? field;
  if (!unlisted.includes(api)) return true;
  return normalizedText(String(body[api] ?? "")) === normalizedText(String(data[api] ?? ""));
}

/**
 * Returns whether the response contains the field. If it doesn't, the next run treats the field as newly
 * managed.
 */
function isShown(
  spec: FieldSpec | undefined,
  field: string,
  data: Readonly<Record<string, unknown>>,
): boolean {
  const [top = ""] = (spec?.api ?? (field === "group" ? "group_id" : field.replace(/^extra\./, ""))).split(
    ".",
  );
  return top in data;
}
