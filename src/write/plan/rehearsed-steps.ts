import type { Database } from "../../base/database.js";
import type { Client } from "../../client/types.js";
import type { Fields } from "../fields.js";
import { readResource } from "../remote.js";
import { recordOf } from "../values.js";
import { fingerprintOf } from "./canonical.js";
import { readExpected } from "./check.js";
import { type CreatedFields, createdFields } from "./created-fields.js";
import { createExpectations } from "./expectations.js";
import type { FileRow, PlanMember, PlanStep } from "./format.js";
import { hashOfMembers, membersHash, membersOf } from "./members.js";
import { plainFields } from "./references.js";
import type { RehearsedMatches } from "./rehearsed-matches.js";
import {
  createReplacements,
  findWrittenResource,
  isChange,
  isStep,
  type RehearsedWrite,
  type Replacements,
} from "./rehearsed-writes.js";
import { createStep, deleteStep, named, updateStep } from "./steps.js";

/**
 * The unchanged copy of the organization, from which the preconditions come. The rehearsed command changes
 * another copy.
 */
interface Base {
  client: Client;
  signal: AbortSignal;
}

interface Rehearsal {
  /** Yields the writes in order. Can be called repeatedly. */
  writes(): Iterable<RehearsedWrite>;
  base: Base;
  /** Time when the plan was created. The plan doesn't repeat a call that was made after this time. */
  madeAt: string;
  database: Database;
  matches?: RehearsedMatches | undefined;
  keys?: RehearsedKeys | undefined;
}

export interface RehearsedKeys {
  keyOf(id: string): string | undefined;
  rows(): Iterable<FileRow>;
}

export interface ResourceSteps {
  /** The step that creates the resource; undefined if the mirror contains it. */
  created: number | undefined;
  last: number;
}

/** Fields that reference other resources, with the type of those resources. */
const referring: Readonly<Record<string, string>> = {
  group_id: "groups",
  prompt_id: "prompts",
  email_prompt_id: "prompts",
  knowledge_group_ids: "groups",
  glossary_group_ids: "groups",
  pronunciation_group_ids: "groups",
  forwarding_group_ids: "groups",
  calendar_ids: "calendars",
  tool_ids: "tools",
  assistant_id: "assistants",
};

/** @throws BulkError `embedded_reference`; ClientError if the base can't be read */
export async function* rehearsedSteps(
  rehearsal: Rehearsal,
): AsyncGenerator<PlanStep | PlanMember | FileRow, void> {
  const preconditionOf = await findPreconditions(rehearsal);
  const created = await createdFields();
  const touched = createTouchedMembers();
  for (const { write, step, body, isFirst, replacements } of numbered(rehearsal.writes())) {
    touched.add(write);
    const { id } = findWrittenResource(write);
    const origin = {
      step,
      ...(write.operation.endsWith(".create") ? preconditionOf(id, step) : {}),
      determined: rehearsal.matches?.find(id).fields ?? [],
    };
    const key = rehearsal.keys?.keyOf(id);
    const made = {
      ...stepOf(write, body, { origin, isFirst, replacements, madeAt: rehearsal.madeAt }),
      ...(key === undefined ? {} : { key }),
    };
    if (write.operation !== "groups.delete" || !isFirst) {
      yield made;
      continue;
    }
    const type = String(recordOf(write.before)["type"]);
    yield deleteStep("groups", id, recordOf(write.before), {
      step,
      members: await touched.expected(rehearsal.base, id, type),
    });
    yield* memberLines(rehearsal.base, id, type, step, created);
  }
  if (rehearsal.keys !== undefined) yield* rehearsal.keys.rows();
}

/**
 * The map's keys are the IDs in the rehearsal.
 * @throws BulkError `embedded_reference`
 */
export function groupStepsByResource(writes: Iterable<RehearsedWrite>): ReadonlyMap<string, ResourceSteps> {
  const stepsById = new Map<string, ResourceSteps>();
  for (const { write, step } of numbered(writes)) {
    const { id } = findWrittenResource(write);
    const created = write.createdId === null ? stepsById.get(id)?.created : step;
    stepsById.set(id, { created, last: step });
  }
  return stepsById;
}

interface NumberedWrite {
  write: RehearsedWrite;
  step: number;
  body: Record<string, unknown> | undefined;
  /** Whether this is the first step that writes the resource. */
  isFirst: boolean;
  replacements: Replacements;
}

function* numbered(writes: Iterable<RehearsedWrite>): Generator<NumberedWrite, void> {
  const replacements = createReplacements();
  const touched = new Set<string>();
  let step = 0;
  for (const write of writes) {
    if (!isStep(write)) continue;
    step += 1;
    const { resource, id } = findWrittenResource(write);
    const resourceKey = `${resource}/${id}`;
    yield { write, step, body: replacements.body(write), isFirst: !touched.has(resourceKey), replacements };
    touched.add(resourceKey);
    replacements.made(write, step);
  }
}

/**
 * If the base contains no resource that would match the row of a new resource, the plan requires that there is
 * still none. Otherwise, the plan requires that the number of equal resources is unchanged.
 */
async function findPreconditions({
  writes,
  base,
  database,
  matches,
}: Rehearsal): Promise<(id: string, step: number) => { sharing: Fields } | { equal: number }> {
  const expectations = createExpectations(database);
  database.begin();
  for (const { write, step, body = {} } of numbered(writes())) {
    const { resource, id } = findWrittenResource(write);
    if (!write.operation.endsWith(".create") || resource === "calls") continue;
    expectations.add(createStep(resource, body, { step, isCounted: true }));
    const sharing = matches?.find(id).sharing;
    if (sharing !== undefined) expectations.add(createStep(resource, body, { step, sharing }));
  }
  database.commit();
  await readExpected(base, expectations);
  return (id, step) => {
    const sharing = matches?.find(id).sharing;
    return sharing === undefined || expectations.isShared(step)
      ? { equal: expectations.countMatches(step) }
      : { sharing };
  };
}

function stepOf(
  write: RehearsedWrite,
  body: Record<string, unknown> = {},
  {
    origin,
    isFirst,
    replacements,
    madeAt,
  }: {
    origin: { step: number; equal?: number; sharing?: Fields; determined: readonly string[] };
    isFirst: boolean;
    replacements: Replacements;
    madeAt: string;
  },
): PlanStep {
  const { operation, after } = write;
  const { resource, id } = findWrittenResource(write);
  const target = replacements.target(id);
  const { determined, ...created } = origin;
  const { step } = created;
  if (operation === "calls.create") return callStep(step, body, after, replacements, madeAt);
  if (operation === "calls.recording.delete")
    return { step, op: "calls.recording.delete", path: { call_id: target }, undo: "none" };
  if (operation.endsWith(".create"))
    return withExisting({ ...createStep(resource, body, created), ...shownAfter(body, after) }, body);
  const before = isFirst ? recordOf(write.before) : undefined;
  if (operation.endsWith(".delete")) return deleteStep(resource, target, before, { step });
  const made: PlanStep = {
    ...named(updateStep(resource, target, body, before, { step, determined }), write.before),
    ...shownAfter(body, after),
  };
  if (!isChange(write) && resource === "knowledge") return reindexStep(made, before);
  return withExisting(made, body, before);
}

/**
 * Returns the sent fields with their values in the response. Other values may exist only in the rehearsal.
 */
function shownAfter(body: Readonly<Record<string, unknown>>, after: unknown): Pick<PlanStep, "after"> {
  const shown = recordOf(after);
  const sent = Object.keys(plainFields(body)).filter((field) => field in shown);
  return { after: Object.fromEntries(sent.map((field) => [field, shown[field]])) };
}

/**
 * Returns a step that saves an item unchanged, so that the service indexes it again. Only `updated_at`
 * changes.
 */
function reindexStep(
  { if: _, ...step }: PlanStep,
  before: Readonly<Record<string, unknown>> | undefined,
): PlanStep {
  const { updated_at, name } = before ?? {};
  return {
    ...step,
    ...(typeof updated_at === "string" ? { if: { updated_at } } : {}),
    ...(before === undefined ? {} : { before: { name, group_id: before["group_id"] } }),
    reindex: true,
    undo: "full",
  };
}

/** An existing assistant must not have called the number since the plan was created. */
function callStep(
  step: number,
  body: Readonly<Record<string, unknown>>,
  after: unknown,
  replacements: Replacements,
  madeAt: string,
): PlanStep {
  const { assistant_id, to } = recordOf(after);
  const hasAssistant = typeof assistant_id === "string" && replacements.stepOf(assistant_id) === undefined;
  return {
    step,
    op: "calls.create",
    body,
    ...(hasAssistant && typeof to === "string"
      ? {
          if: {
            exists: [`assistants/${assistant_id}`],
            no_call: { assistant: assistant_id, to, since: madeAt },
          },
        }
      : {}),
    undo: "none",
  };
}

/**
 * Adds preconditions that newly referenced resources exist. Skips placeholders, because they refer to the
 * plan's own resources.
 */
function withExisting(
  step: PlanStep,
  body: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>> = {},
): PlanStep {
  const exists = new Set(step.if?.exists);
  for (const [field, resource] of Object.entries(referring)) {
    const known = new Set([before[field]].flat());
    for (const id of [body[field]].flat())
      if (typeof id === "string" && !known.has(id)) exists.add(`${resource}/${id}`);
  }
  return exists.size === 0 ? step : { ...step, if: { ...step.if, exists: [...exists] } };
}

/**
 * Tracks the group members that steps create, change or delete. The groups of these members then differ from
 * the base.
 */
function createTouchedMembers() {
  const touched = new Map<string, { group: string | undefined; print: string }>();
  const groups = new Set<string>();
  return {
    add(write: RehearsedWrite): void {
      const { resource, id } = findWrittenResource(write);
      const groupOf = (value: unknown) => recordOf(value)["group_id"];
      const [was, is] = [groupOf(write.before), groupOf(write.after)];
      for (const group of [was, is]) if (typeof group === "string") groups.add(group);
      // Lists omit the text of knowledge items.
      const { text: _, ...listed } = recordOf(write.after);
      const print = fingerprintOf(resource, resource === "knowledge" ? listed : recordOf(write.after));
      if (was !== undefined || is !== undefined)
        touched.set(id, { group: typeof is === "string" ? is : undefined, print });
    },
    async expected(
      base: Base,
      groupId: string,
      type: string,
    ): Promise<{ count: number; hash: string; late?: true }> {
      if (!groups.has(groupId)) return membersHash(base, groupId, type);
      const prints = [...touched.values()].filter(({ group }) => group === groupId).map(({ print }) => print);
      for await (const { id, record, resource } of membersOf(base, groupId, type))
        if (!touched.has(id)) prints.push(fingerprintOf(resource, record));
      return { ...hashOfMembers(prints), late: true };
    },
  };
}

/** Yields a deleted group's members, because an undo needs them. */
async function* memberLines(
  base: Base,
  groupId: string,
  type: string,
  step: number,
  created: CreatedFields,
): AsyncGenerator<PlanMember, void> {
  for await (const { id, record, resource } of membersOf(base, groupId, type)) {
    // Lists omit the text of knowledge items.
    const whole = resource === "knowledge" ? ((await readResource(base, resource, id)) ?? record) : record;
    const { group_id: _, ...body } = created(resource, whole);
    yield { members: step, op: `${resource}.create`, body };
  }
}
