/**
 * The format of a plan file: JSON Lines with a header, a line per step, and a last line with the hash of all
 * bytes before it. Steps are read one at a time, so memory use does not depend on the length of the plan.
 */
import * as z from "zod";
import { isOperationName } from "../../contract/operation-names.js";
import { recordOf } from "../values.js";

/**
 * `{"$ref": 3}` represents the id in the response of step 3, `{"$ref": 3, "field": "phone_number"}` another
 * field of it, `{"$secret": "tools/crm"}` a secret that is provided when the plan is applied, alone or as a
 * part of `{"$text": […]}`.
 */
const Values = z.record(z.string(), z.unknown());

/** A condition at the organization without which a step is not sent. */
const Preconditions = z.strictObject({
  /**
   * Number of equal resources in the scope of a create. With `name`, none has that name; with `sharing`, none
   * has an entry of these lists together with all of these texts.
   */
  absent: z
    .strictObject({
      in: z.string(),
      fingerprint: z.string().optional(),
      count: z.int().nonnegative().optional(),
      name: z.string().optional(),
      sharing: Values.optional(),
    })
    .optional(),
  /** `groups/65f1…`: referenced resources that the plan does not create. */
  exists: z.array(z.string()).optional(),
  /** The values that an update replaces. */
  fields: z.record(z.string(), z.unknown()).optional(),
  /** Fingerprint of the resource to delete. */
  same: z.string().optional(),
  /** A group's members, when it is deleted. */
  members: z
    .strictObject({
      count: z.int().nonnegative(),
      hash: z.string(),
      /** State right before the delete: earlier steps of the plan remove its members. */
      late: z.literal(true).optional(),
    })
    .optional(),
  /** No call of this assistant to this number since then. */
  no_call: z.strictObject({ assistant: z.string(), to: z.string(), since: z.string() }).optional(),
  /** A resource that is saved without a change, to be indexed again. */
  updated_at: z.string().optional(),
});

/** How far a step can be undone. */
const undoClasses = ["full", "new-id", "partial", "none"] as const;
export type UndoClass = (typeof undoClasses)[number];

const OperationName = z.string().refine(isOperationName, "is not an operation of this voxctl version");

const Step = z.strictObject({
  step: z.int().positive(),
  /** The operation's name in the contract. */
  op: OperationName,
  path: Values.optional(),
  body: Values.optional(),
  /** Earlier steps that it needs, in addition to those that it references. */
  needs: z.array(z.int().positive()).optional(),
  if: Preconditions.optional(),
  /** The former state: of a delete all fields, of an update the fields that change. */
  before: Values.optional(),
  /** The resource according to its response when the plan was made. */
  after: Values.optional(),
  /** Changes no field; the service indexes the item again. */
  reindex: z.literal(true).optional(),
  undo: z.enum(undoClasses),
  /** The row or file that it comes from, by the caller's own key, and the hash of what was sent for it. */
  key: z.string().optional(),
  sent: z.string().optional(),
});
export type PlanStep = z.output<typeof Step>;

/** A member of the group that the step before deletes, so that an undo can create it again. */
const Member = z.strictObject({ members: z.int().positive(), op: z.string(), body: Values });
export type PlanMember = z.output<typeof Member>;

/**
 * A row of the file that a synchronization was planned from, or of an earlier file whose contact still
 * exists: what the key map learns once the plan is applied (R2a). Omitted members stay unchanged in the map.
 */
const FileRow = z.strictObject({
  /** Its number in the file; null: it is not in this one. */
  row: z.int().positive().nullable(),
  key: z.string().optional(),
  id: z.string().optional(),
  digest: z.string().optional(),
  /** The step that decides the outcome of the row. */
  of_step: z.int().positive().optional(),
  sent: Values.optional(),
  answer: Values.optional(),
  /** Whether the response is that of a write. */
  written: z.boolean().optional(),
});
export type FileRow = z.output<typeof FileRow>;

/** The file that a synchronization was planned from, as the next one compares its own with it. */
const FileFacts = z.strictObject({
  rows: z.int().nonnegative(),
  invalid: z.int().nonnegative(),
  line_end: z.boolean(),
});

/** The map of keys that the steps' results belong to. */
const Keys = z.strictObject({
  /** `{"$ref": 1}`: step 1 creates the group. */
  group_id: z.union([z.string(), z.strictObject({ $ref: z.int().positive() })]),
  /** The column of the caller's keys. */
  column: z.string().nullable(),
  /** Path of the key map as typed. */
  state: z.string().nullable(),
  /** The directory that a relative `state` belongs to. */
  state_directory: z.string().nullable(),
  file: FileFacts,
  /** The map's knowledge of the file before. */
  former: FileFacts.nullable(),
  /** When the map that the plan was made with was written; null: no map existed. */
  former_at: z.string().nullable(),
});
export type PlanKeys = z.output<typeof Keys>;

/** The map of a group that exists. */
export type GroupKeys = PlanKeys & { group_id: string };

/** The map that a run's plan belongs to, as its journal has it. */
export function keysOf(value: unknown): PlanKeys | undefined {
  return Keys.safeParse(value).data;
}

/** The configuration that a plan is part of. */
const Config = z.strictObject({
  project: z.string(),
  target: z.string(),
  lock_sha256: z.string().optional(),
  /** The changes of the lock at once, and from the steps' results. */
  lock: Values.optional(),
});

/** The configuration that a run's plan is part of, as its journal has it. */
export function configOf(value: unknown): PlanHeader["config"] {
  return Config.safeParse(value).data;
}

const Counts = z.strictObject({
  created: z.int().nonnegative(),
  updated: z.int().nonnegative(),
  deleted: z.int().nonnegative(),
});

const Header = z.strictObject({
  plan: z.literal(1),
  /** Random, so that two plans of the same effect are two plans. */
  nonce: z.string().min(8),
  made_at: z.iso.datetime(),
  made_by: z.string(),
  command: z.array(z.string()),
  target: z.strictObject({
    base_url: z.string(),
    /** Ids of the oldest groups and assistants, by which the organization is known again. */
    anchors: z.array(z.string()),
    surface: z.string().optional(),
  }),
  /** The mirror that a rehearsal ran on. */
  base: z
    .strictObject({ mirror: z.string(), collected: z.array(z.string()), consistency: z.string() })
    .optional(),
  assumed: z.array(z.string()),
  estimate: z.strictObject({ writes: z.int().nonnegative(), seconds: z.number().nonnegative() }),
  /** By resource. */
  summary: z.record(z.string(), Counts),
  /** Names of secrets to provide, each with the fields that use it. */
  secrets: z.record(z.string(), z.array(z.string())),
  /** The organization spec that it was made from: by its name, later plans find what it created. */
  provision: z.strictObject({ name: z.string().optional() }).optional(),
  /** A synchronization's map of keys, which learns from the steps' results. */
  keys: Keys.optional(),
  config: Config.optional(),
});
export type PlanHeader = z.output<typeof Header>;

const End = z.strictObject({ end: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

/** One line of a plan. */
export type PlanLine =
  | { type: "header"; header: PlanHeader }
  | { type: "step"; step: PlanStep }
  | { type: "member"; member: PlanMember }
  | { type: "row"; row: FileRow }
  | { type: "end"; steps: number; sha256: string };

/**
 * Parses one line.
 * @throws z.ZodError for an invalid line: unknown members are refused, because one of them could be a
 * precondition; SyntaxError for invalid JSON
 */
export function parsePlanLine(text: string): PlanLine {
  const value: unknown = JSON.parse(text);
  const record: Readonly<Record<string, unknown>> =
    typeof value === "object" && value !== null ? { ...value } : {};
  if ("plan" in record) return { type: "header", header: Header.parse(value) };
  if ("end" in record) {
    const { end, sha256 } = End.parse(value);
    return { type: "end", steps: end, sha256 };
  }
  if ("row" in record) return { type: "row", row: FileRow.parse(value) };
  if ("members" in record) return { type: "member", member: Member.parse(value) };
  return { type: "step", step: parsePlanStep(value) };
}

/** Returns whether a value that a journal stored is a step of a plan; it was parsed when it was planned. */
export function isStoredStep(value: unknown): value is PlanStep {
  const { step, op } = recordOf(value);
  return typeof step === "number" && typeof op === "string" && isOperationName(op);
}

/** Returns whether a value that a journal stored is a row of the file of a plan. */
export function isStoredRow(value: unknown): value is FileRow {
  return "row" in recordOf(value);
}

/** @throws z.ZodError if a value is not a step of a plan */
function parsePlanStep(value: unknown): PlanStep {
  return Step.parse(value);
}
