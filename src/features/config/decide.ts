/** Decides what `config apply` will do to an organization. Sends only read requests. */
import { isReadable } from "../../write/plan/same-organization.js";
import { findMoves, indexByName, type Move, type Namesakes, specOfKey } from "./binding.js";
import { appliedOf, liveHashes, nameOf, nothing, type References, resourceOf, secretNames } from "./codec.js";
import { standingOf } from "./compare.js";
import { compareResources, type Matched } from "./compare-resources.js";
import type { Decision, Deletion, PlanOptions } from "./decision.js";
import { ConfigError } from "./errors.js";
import type { ConfigObject } from "./folder/objects.js";
import type { Declared, Folder } from "./folder/open.js";
import { isWithin } from "./guards.js";
import { type Live, type LiveRecord, type Reading, readLive, readRecords } from "./live.js";
import type { Lock, LockLine } from "./lock.js";
import { refusalsOf } from "./refusals.js";
import { findResourceType, resourceTypes } from "./resource-types/index.js";
import type { ResourceTypeName } from "./resource-types/resource-type.js";
import { judgeSecrets, type SecretReader } from "./secret-changes.js";
import type { TextCache } from "./text-cache.js";

export interface DecideInput {
  folder: Pick<Folder, "project" | "isIgnored">;
  declared: Declared;
  lock: Lock;
  options: PlanOptions;
  secrets: SecretReader;
  cache: TextCache | undefined;
}

/** `record` is null if the live resource was deleted. */
interface LineNow {
  line: LockLine;
  record: LiveRecord | null;
}

/** @throws ConfigError if the lock belongs to another organization; ClientError */
export async function decide(reading: Reading, input: DecideInput): Promise<Decision> {
  const { folder, declared, lock, options } = input;
  const live = await readLive(reading, resourcesOf(folder.project.kinds, declared));
  const isManaged = (key: string) => {
    const resourceType = findResourceType(key);
    return (
      resourceType !== undefined && folder.project.kinds.includes(resourceType.name) && !folder.isIgnored(key)
    );
  };
  const isSelected = onlyOf(declared, options.only);
  const lines = [...lock.lines.values()].filter(({ key }) => isManaged(key));
  const now = await readLines(reading, live, lines);
  await assertSameOrganization(reading, live, now, input);
  const objects = [...declared.objects.values()];
  const bound = new Map(now.map((entry) => [entry.line.key, entry]));
  const leftover = now.filter(({ line, record }) => record !== null && !declared.objects.has(line.key));
  const unbound = objects.filter(({ key }) => !bound.has(key));
  const early = referencesOf(live, lines);
  // A `moved` entry without `from` marks a new resource.
  const asNew = new Set(folder.project.moved.flatMap(({ from, to }) => (from === undefined ? [to] : [])));
  const { moves, unclear } = findMoves({
    unbound: unbound.filter(({ key }) => !asNew.has(key)),
    leftover: leftover.map(({ line }) => line),
    moved: folder.project.moved.flatMap(({ from, to }) => (from === undefined ? [] : [{ from, to }])),
    references: early,
  });
  applyMoves(bound, moves);
  const everBound = new Set([...lock.lines.values()].map(({ id }) => id));
  // Match deleted resources by name, so that a resource that another user has recreated is not duplicated.
  const isGone = (key: string) => bound.get(key)?.record === null;
  const { adopted, needsAdopt, ambiguous } = findAdoptions(
    objects.filter(({ key }) => !bound.has(key) || isGone(key)),
    live,
    bound,
    everBound,
    { adopt: options.adopt, asNew },
  );
  const lineNow = (key: string): LineNow | undefined => adopted.get(key) ?? bound.get(key);
  const unsure = new Set([...needsAdopt, ...ambiguous].map(({ key }) => key));
  const references = referencesOf(live, [
    ...[...bound.values()].map(({ line }) => line),
    ...[...adopted.values()].map(({ line }) => line),
  ]);
  const matched = objects
    .filter(({ key }) => isSelected(key))
    .map((object): Matched => {
      const current = lineNow(object.key);
      return {
        object,
        line: current?.line,
        record: current?.record ?? undefined,
        isAdopted: adopted.has(object.key),
        isGone: current !== undefined && current.record === null && !unsure.has(object.key),
        isCreated: current === undefined && !unsure.has(object.key),
      };
    });
  const compared = await compareResources(reading, matched, { references, options, cache: input.cache });
  const changes = await judgeSecrets(compared, input.secrets, options);
  const movedFrom = new Set(moves.map(({ from }) => from));
  const undeclared = now.filter(
    ({ line }) => !declared.objects.has(line.key) && !movedFrom.has(line.key) && isSelected(line.key),
  );
  const forgotten = undeclared.filter(
    ({ record }) => standingOf({ file: false, lock: true, live: record === null ? 0 : 1 }) === "forgotten",
  );
  const candidates = undeclared.flatMap(({ line, record }) => (record === null ? [] : [{ line, record }]));
  const pruned = candidates.flatMap(({ line, record }): Deletion[] => {
    const spec = specOfKey(line.key);
    return spec !== undefined && isPruned(line, options) ? [{ line, record, spec }] : [];
  });
  const { deletions, drifted } = await judgeDeletions(reading, pruned, references, options.drift);
  const unclearNow =
    options.prune === undefined ? [] : unclear.filter(({ key }) => isSelected(key)).map(({ key }) => key);
  const parts = {
    declared,
    lock,
    live,
    references,
    changes,
    deletions,
    driftedDeletions: drifted,
    moves: moves.filter(({ to }) => isSelected(to)),
    forgotten: forgotten.map(({ line }) => line.key),
    candidates: candidates
      .filter(({ line }) => !deletions.some((deletion) => deletion.line === line))
      .map(({ line }) => line),
    needsAdopt: needsAdopt.filter(({ key }) => isSelected(key)),
    ambiguous: ambiguous.filter(({ key }) => isSelected(key)),
    unclear: unclearNow,
    gone: matched.filter(({ isGone }) => isGone).map(({ object }) => object.key),
    unmanaged: unmanagedOf(
      folder.project.kinds,
      live,
      // Don't count a resource as unmanaged if a file has its name.
      new Set([
        ...everBound,
        ...[...adopted.values()].map(({ line }) => line.id),
        ...needsAdopt.map(({ id }) => id),
        ...ambiguous.flatMap(({ ids }) => ids),
      ]),
    ),
  };
  return refusalsOf(reading, parts, options);
}

function resourcesOf(managed: readonly ResourceTypeName[], { objects }: Declared): string[] {
  const resources = new Set<string>();
  for (const name of managed) {
    const { item, group } = resourceTypes[name];
    resources.add(item.resource);
    if (group !== undefined) resources.add(group.resource);
  }
  if (managed.includes("assistants")) resources.add("voices");
  for (const { spec, fields } of objects.values())
    for (const { to, name } of spec.fields)
      if (to !== undefined && JSON.stringify(fields.get(name) ?? null).includes('"live"'))
        resources.add(resourceOf(to));
  // Always read the assistants, because they may use a resource that will be deleted.
  resources.add("assistants");
  return [...resources].sort();
}

/** Reads a resource that is missing from its list by ID, to confirm that it was deleted. */
async function readLines(reading: Reading, live: Live, lines: readonly LockLine[]): Promise<LineNow[]> {
  const resource = ({ key }: LockLine) => specOfKey(key)?.resource ?? "";
  const listed = (line: LockLine) => live.records(resource(line)).get(line.id);
  const unlisted = lines.filter((line) => listed(line) === undefined);
  const read = await readRecords(
    reading,
    unlisted.map((line) => ({ resource: resource(line), id: line.id })),
  );
  const readByLine = new Map(unlisted.map((line, index) => [line, read[index] ?? null]));
  return lines.map((line) => ({ line, record: listed(line) ?? readByLine.get(line) ?? null }));
}

/**
 * Reads the resources of these lock entries, to check that the lock belongs to the organization.
 * @throws ConfigError if the lock belongs to another organization; ClientError
 */
export async function assertLockOrganization(
  reading: Reading,
  lines: readonly LockLine[],
  input: Pick<DecideInput, "declared" | "lock">,
): Promise<void> {
  const live: Live = { records: () => new Map(), voices: [] };
  await assertSameOrganization(reading, live, await readLines(reading, live, lines), input);
}

/**
 * Refuses an organization that has none of the lock's resources: it is probably the wrong organization, where
 * all of these resources would seem to be deleted.
 */
async function assertSameOrganization(
  reading: Reading,
  live: Live,
  now: readonly LineNow[],
  { declared: { target }, lock: { anchors } }: Pick<DecideInput, "declared" | "lock">,
): Promise<void> {
  if (now.length + anchors.length === 0 || now.some(({ record }) => record !== null)) return;
  const isListed = (id: string) => ["groups", "assistants"].some((name) => live.records(name).has(id));
  if (anchors.some(isListed) || (await isReadable(reading, anchors))) return;
  throw new ConfigError(
    "config_refused",
    `the lock file of target ${target} may belong to another organization: the API key can't read any resource in the file`,
    "use the target's profile; if all of these resources were deleted, delete the lock file",
  );
}

function referencesOf(live: Live, lines: readonly LockLine[]): References {
  const keys = new Map(lines.map(({ key, id }) => [`${specOfKey(key)?.resource} ${id}`, key]));
  const findSingle = (ids: readonly string[]) => (ids.length === 1 ? ids[0] : undefined);
  return {
    keyOf: (resource, id) => keys.get(`${resource} ${id}`),
    idOfLive: (resourceType, name) => {
      const { item, group } = resourceTypes[resourceType];
      const spec = group ?? item;
      const type = spec.fixed?.["type"];
      return findSingle(
        [...live.records(spec.resource)]
          .filter(([, record]) => record["name"] === name && (type === undefined || record["type"] === type))
          .map(([id]) => id),
      );
    },
    idOfVoice: (name) => findSingle(live.voices.filter((voice) => voice.name === name).map(({ id }) => id)),
  };
}

export function referencesOfLock({ lines }: Lock): References {
  return referencesOf({ records: () => new Map(), voices: [] }, [...lines.values()]);
}

function applyMoves(bound: Map<string, LineNow>, moves: readonly Move[]): void {
  for (const { from, to } of moves) {
    const entry = bound.get(from);
    if (entry === undefined) continue;
    bound.delete(from);
    bound.set(to, { ...entry, line: { ...entry.line, key: to } });
  }
}

const noNamesakes: Namesakes = { ids: [], isExact: true };

function findAdoptions(
  unbound: readonly ConfigObject[],
  live: Live,
  bound: ReadonlyMap<string, LineNow>,
  everBound: ReadonlySet<string>,
  { adopt: isAdopting, asNew }: Pick<PlanOptions, "adopt"> & { asNew: ReadonlySet<string> },
) {
  const namesakesByKey = new Map<string, Namesakes>();
  const groupIds = new Map<string, string>();
  const indexes = new Map<unknown, ReturnType<typeof indexByName>>();
  // Start with groups, because items are only matched within their group.
  for (const object of unbound.toSorted((left, right) => Number(right.isGroup) - Number(left.isGroup))) {
    const { spec, group, key } = object;
    const index =
      indexes.get(spec) ?? indexByName(spec, live.records(spec.resource), (id) => everBound.has(id));
    indexes.set(spec, index);
    const groupId = group === undefined ? undefined : (groupIds.get(group) ?? bound.get(group)?.line.id);
    const namesakes =
      group !== undefined && groupId === undefined ? noNamesakes : index(nameOf(object), groupId);
    // `moved` marks this file as new, so a resource with a similar name is a different resource.
    const { ids } = namesakes.isExact || !asNew.has(key) ? namesakes : noNamesakes;
    namesakesByKey.set(key, { ...namesakes, ids });
    if (object.isGroup && ids.length === 1 && ids[0] !== undefined) groupIds.set(key, ids[0]);
  }
  // Each resource matches only one file. An exact match takes precedence over a similar name.
  const taken = new Set([...namesakesByKey.values()].flatMap(({ ids, isExact }) => (isExact ? ids : [])));
  const idsOf = (key: string) => {
    const { ids, isExact } = namesakesByKey.get(key) ?? noNamesakes;
    return isExact ? ids : ids.filter((id) => !taken.has(id));
  };
  const claims = new Map<string, number>();
  for (const ids of [...namesakesByKey.keys()].map(idsOf))
    if (ids.length === 1 && ids[0] !== undefined) claims.set(ids[0], (claims.get(ids[0]) ?? 0) + 1);
  const adopted = new Map<string, LineNow>();
  const needsAdopt: { key: string; id: string }[] = [];
  const ambiguous: { key: string; ids: readonly string[] }[] = [];
  for (const { key, spec, source } of unbound) {
    const ids = idsOf(key);
    const standing = standingOf({ file: true, lock: false, live: ids.length });
    const [id = ""] = ids;
    if (standing === "ambiguous" || (standing === "needs_adopt" && (claims.get(id) ?? 0) > 1))
      ambiguous.push({ key, ids });
    else if (standing === "needs_adopt" && isAdopting) {
      const record = live.records(spec.resource).get(id) ?? null;
      adopted.set(key, { line: { key, id, made: false, source, applied: {} }, record });
    } else if (standing === "needs_adopt") needsAdopt.push({ key, id });
  }
  return { adopted, needsAdopt, ambiguous };
}

/**
 * `drifted` lists resources that another user changed after the last apply; the deletions include them only
 * if `drift` is `overwrite`.
 */
async function judgeDeletions(
  reading: Reading,
  pruned: readonly Deletion[],
  references: References,
  drift: PlanOptions["drift"],
): Promise<{ deletions: Deletion[]; drifted: { key: string; fields: string[] }[] }> {
  const read = await readRecords(
    reading,
    pruned.map(({ spec, line }) => ({ resource: spec.resource, id: line.id })),
  );
  const deletions: Deletion[] = [];
  const drifted: { key: string; fields: string[] }[] = [];
  for (const [index, { line, spec, record: listed }] of pruned.entries()) {
    const record = read[index] ?? listed;
    const resourceType = findResourceType(line.key);
    const live =
      resourceType === undefined
        ? new Map()
        : liveHashes(
            { spec, resourceType },
            record,
            references,
            Object.keys(line.applied),
            secretNames(undefined, line),
          );
    const fields = [...appliedOf(line)]
      .filter(([field, { returned }]) => (live.get(field) ?? nothing) !== returned)
      .map(([field]) => field);
    if (fields.length > 0) drifted.push({ key: line.key, fields });
    if (fields.length === 0 || drift === "overwrite") deletions.push({ line, spec, record });
  }
  return { deletions, drifted };
}

function isPruned({ key, made }: LockLine, { prune, pruneAdopted }: PlanOptions): boolean {
  const resourceType = findResourceType(key);
  return resourceType !== undefined && prune?.includes(resourceType.name) === true && (made || pruneAdopted);
}

/** Includes the resources that the resources in `--only` refer to. */
function onlyOf({ objects }: Declared, only: readonly string[] | undefined): (key: string) => boolean {
  if (only === undefined) return () => true;
  const selectedKeys = new Set<string>();
  const add = (object: ConfigObject) => {
    if (selectedKeys.has(object.key)) return;
    selectedKeys.add(object.key);
    const referred = object.spec.fields.flatMap(({ name, to }) =>
      to === undefined ? [] : [object.fields.get(name)].flat(),
    );
    for (const key of [...referred, object.group]) {
      const referenced = typeof key === "string" ? objects.get(key) : undefined;
      if (referenced !== undefined) add(referenced);
      if (referenced?.isGroup === true && key !== object.group)
        for (const member of objects.values()) if (member.group === key) add(member);
    }
  };
  for (const object of objects.values()) if (isWithin(object.key, only)) add(object);
  return (key) => selectedKeys.has(key) || isWithin(key, only);
}

function unmanagedOf(
  managed: readonly ResourceTypeName[],
  live: Live,
  known: ReadonlySet<string>,
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of managed) {
    const { item, group } = resourceTypes[name];
    for (const spec of group === undefined ? [item] : [group, item]) {
      const type = spec.fixed?.["type"];
      for (const [id, record] of live.records(spec.resource))
        if (!known.has(id) && (type === undefined || record["type"] === type))
          counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}
