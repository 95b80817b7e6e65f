import {
  appliedOf,
  fileHashes,
  groupField,
  headersOf,
  isGroupOfItem,
  liveHashes,
  nothing,
  type References,
  secretHolders,
  secretNames,
  specOf,
} from "./codec.js";
import { compareFields, type Verdict } from "./compare.js";
import type { ObjectChange, PlanOptions } from "./decision.js";
import type { ConfigObject } from "./folder/objects.js";
import { type LiveRecord, type Reading, readRecords } from "./live.js";
import type { LockLine } from "./lock.js";
import type { TextCache } from "./text-cache.js";

export interface Matched {
  object: ConfigObject;
  line: LockLine | undefined;
  record: LiveRecord | undefined;
  isAdopted: boolean;
  isGone: boolean;
  /** True if the resource has no lock entry, and no live resource has the same name. */
  isCreated: boolean;
}

interface CompareInput {
  references: References;
  options: PlanOptions;
  cache: TextCache | undefined;
}

/**
 * @returns a change for each resource, including resources without differences
 * @throws ClientError
 */
export async function compareResources(
  reading: Reading,
  matched: readonly Matched[],
  input: CompareInput,
): Promise<ObjectChange[]> {
  const { references, cache } = input;
  const files = new Map(matched.map(({ object }) => [object, fileHashes(object, references)]));
  const existing = matched.filter(({ record }) => record !== undefined);
  // Before reporting a difference, read the resource itself, because lists may be outdated and omit long
  // fields.
  const unsure = existing.filter((match) => !isSettled(match, files.get(match.object) ?? new Map(), input));
  const fresh = await readRecords(
    reading,
    unsure.map(({ object, line }) => ({ resource: object.spec.resource, id: line?.id ?? "" })),
  );
  const records = new Map(unsure.map(({ object }, index) => [object, fresh[index]]));
  const changes = matched.map((match) => {
    const read = records.get(match.object);
    if (read !== undefined && read !== null && match.object.spec.unlisted !== undefined)
      cache?.keep(String(read["id"]), read["updated_at"], textHash(match.object, read, references));
    const record = read === undefined ? match.record : (read ?? undefined);
    const isGone = match.isGone || read === null;
    return changeOf({ ...match, record, isGone }, files.get(match.object) ?? new Map(), input);
  });
  return addReferenceUpdates(changes);
}

function isSettled(
  match: Matched,
  file: ReadonlyMap<string, string>,
  { references, cache }: CompareInput,
): boolean {
  const { object, line, record, isAdopted } = match;
  if (record === undefined || line === undefined || isAdopted) return false;
  const secrets = secretNames(object, line);
  // Lists omit some fields, but the plan file needs all fields of a resource with secret headers.
  if ([...secrets].some((secret) => headersOf(object.spec, secret) !== undefined)) return false;
  if (secrets.size > 0 && secretHolders(object.spec, secrets, record).size > 0) return false;
  const live = liveHashes(object, record, references, file.keys(), secrets);
  for (const api of object.spec.unlisted ?? []) {
    if (api in record) continue;
    const field = object.spec.fields.find((spec) => spec.api === api)?.name ?? api;
    const known = cache?.hashOf(line.id, record["updated_at"]);
    if (known === undefined) return false;
    live.set(field, known);
  }
  return [...compareFields(file, live, appliedOf(line), nothing).values()].every(
    (verdict) => verdict === "in_sync" || verdict === "no_longer_managed",
  );
}

export function textHash(object: ConfigObject, record: LiveRecord, references: References): string {
  const [api = ""] = object.spec.unlisted ?? [];
  const field = object.spec.fields.find((spec) => spec.api === api)?.name ?? api;
  return liveHashes(object, record, references).get(field) ?? nothing;
}

function changeOf(
  { object, line, record, isAdopted, isGone, isCreated }: Matched,
  file: ReadonlyMap<string, string>,
  { references, options, cache }: CompareInput,
): ObjectChange {
  const common = { object, line, record, isAdopted, file, isRecreated: false, secrets: [] };
  const none = {
    ...common,
    action: "none" as const,
    verdicts: new Map(),
    sends: new Set<string>(),
    live: new Map<string, string>(),
  };
  if (isCreated) return { ...none, action: "create", sends: new Set(file.keys()) };
  if (isGone)
    return options.drift === "overwrite"
      ? { ...none, record: undefined, action: "create", isRecreated: true, sends: new Set(file.keys()) }
      : none;
  if (record === undefined || line === undefined) return none;
  const live = liveHashes(object, record, references, file.keys(), secretNames(object, line));
  for (const api of object.spec.unlisted ?? []) {
    const field = object.spec.fields.find((spec) => spec.api === api)?.name;
    const known = api in record ? undefined : cache?.hashOf(line.id, record["updated_at"]);
    if (field !== undefined && known !== undefined) live.set(field, known);
  }
  const verdicts = compareFields(file, live, isAdopted ? undefined : appliedOf(line), nothing);
  const sends = new Set(
    [...verdicts].filter(([, verdict]) => isSent(verdict, options)).map(([field]) => field),
  );
  const isReplaced = [...sends].some((field) => isImmutable(object, field));
  const action = isReplaced ? "replace" : sends.size > 0 ? "update" : "none";
  return { ...common, action, verdicts, sends, live };
}

function isSent(verdict: Verdict, { drift, resolve }: PlanOptions): boolean {
  if (verdict === "drift") return drift === "overwrite";
  if (verdict === "conflict") return resolve === "file";
  return verdict === "changed" || verdict === "first_different" || verdict === "newly_different";
}

export function isImmutable({ spec }: ConfigObject, field: string): boolean {
  if (isGroupOfItem(spec, field)) return spec.movesBetweenGroups !== true;
  return specOf(spec, field)?.isImmutable === true;
}

/** Adds updates for resources that refer to a recreated resource, because it has a new ID. */
function addReferenceUpdates(changes: readonly ObjectChange[]): ObjectChange[] {
  const recreatedKeys = new Set(
    changes
      .filter(({ action, isRecreated }) => action === "replace" || (action === "create" && isRecreated))
      .map(({ object }) => object.key),
  );
  if (recreatedKeys.size === 0) return [...changes];
  return changes.map((change) => {
    const { object, action } = change;
    if (action === "create" || action === "replace") return change;
    const fields = object.spec.fields.filter(
      ({ to, name }) =>
        to !== undefined &&
        [object.fields.get(name)].flat().some((key) => typeof key === "string" && recreatedKeys.has(key)),
    );
    const isInRecreatedGroup =
      object.group !== undefined && recreatedKeys.has(object.group) && change.record !== undefined;
    const names = [...fields.map(({ name }) => name), ...(isInRecreatedGroup ? [groupField] : [])];
    if (names.length === 0 || change.record === undefined) return change;
    return { ...change, action: "update", sends: new Set([...change.sends, ...names]) };
  });
}
