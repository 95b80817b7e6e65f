/**
 * Format of a plan file: JSON Lines with a header, a line per step, and a last line with the hash of all bytes before
 * it. Steps are read one at a time, so memory use does not depend on the length of the plan.
 */
import * as z from "zod";
import { isOperationName } from "../../contract/operation-names.js";
import { recordOf } from "../values.js";

/**
 * Values with placeholders: `{"$ref": 3}` is the id in the response to step 3, and `{"$ref": 3, "field":
 * "phone_number"}` is another field of that response. `{"$secret": "tools/crm"}`, alone or as a part of `{"$text":
 * […]}`, is a secret that is provided when the plan is applied.
 */
const Values = z.record(z.string(), z.unknown());

/** Conditions that the organization must meet before a step is sent. */
const Preconditions = z.strictObject({
  /**
   * Allowed number of equal resources in the scope of a create. With `name`, no resource may have that name; with
   * `sharing`, no resource may have both an entry from these lists and all of these strings.
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
  /** Referenced resources that the plan does not create: `groups/65f1…`. */
  exists: z.array(z.string()).optional(),
  /** Values that an update replaces. */
  fields: z.record(z.string(), z.unknown()).optional(),
  /** Fingerprint of the resource to delete. */
  same: z.string().optional(),
  /** Members of a group to delete. */
  members: z
    .strictObject({
      count: z.int().nonnegative(),
      hash: z.string(),
      /**
       * Whether the members are compared only right before the delete, because earlier steps of the plan remove some.
       */
      late: z.literal(true).optional(),
    })
    .optional(),
  /** This assistant must not have called this number since then. */
  no_call: z.strictObject({ assistant: z.string(), to: z.string(), since: z.string() }).optional(),
  /** Change time of a resource that is saved without a change, so that it is indexed again. */
  updated_at: z.string().optional(),
});

/** How far a step can be undone. */
const undoClasses = ["full", "new-id", "partial", "none"] as const;
export type UndoClass = (typeof undoClasses)[number];

const OperationName = z.string().refine(isOperationName, "is not supported by this version of voxctl");

const Step = z.strictObject({
  step: z.int().positive(),
  /** Name of the operation in the contract. */
  op: OperationName,
  path: Values.optional(),
  body: Values.optional(),
  /** Earlier steps that the step needs, in addition to those that it references. */
  needs: z.array(z.int().positive()).optional(),
  if: Preconditions.optional(),
  /** Former values: all fields for a delete, the changed fields for an update. */
  before: Values.optional(),
  /** The resource as returned by the response when the plan was created. */
  after: Values.optional(),
  /** Set for a step that changes no field but makes the service index the item again. */
  reindex: z.literal(true).optional(),
  undo: z.enum(undoClasses),
  /** The user's own key of the row or file from which the step was created. `sent`: hash of the sent values. */
  key: z.string().optional(),
  sent: z.string().optional(),
});
export type PlanStep = z.output<typeof Step>;

/** A member of the group that the previous step deletes, so that an undo can create the member again. */
const Member = z.strictObject({ members: z.int().positive(), op: z.string(), body: Values });
export type PlanMember = z.output<typeof Member>;

/**
 * The data that the key map stores about a row after the plan is applied: a row of the synchronized file, or of an earlier file
 * if its contact still exists. Omitted members stay unchanged in the map.
 */
const FileRow = z.strictObject({
  /** Number of the row in the file; null if the row is only in an earlier file. */
  row: z.int().positive().nullable(),
  key: z.string().optional(),
  id: z.string().optional(),
  digest: z.string().optional(),
  /** Number of the step that decides the outcome of the row. */
  of_step: z.int().positive().optional(),
  sent: Values.optional(),
  answer: Values.optional(),
  /** Whether the response belongs to a write. */
  written: z.boolean().optional(),
});
export type FileRow = z.output<typeof FileRow>;

/** Facts about a synchronized file, with which the next synchronization compares its own file. */
const FileFacts = z.strictObject({
  rows: z.int().nonnegative(),
  invalid: z.int().nonnegative(),
  line_end: z.boolean(),
});

/** The key map that stores the results of the steps. */
const Keys = z.strictObject({
  /** Id of the group; `{"$ref": 1}` if step 1 creates it. */
  group_id: z.union([z.string(), z.strictObject({ $ref: z.int().positive() })]),
  /** Column with the user's keys. */
  column: z.string().nullable(),
  /** Path of the key map as typed. */
  state: z.string().nullable(),
  /** Directory that a relative `state` refers to. */
  state_directory: z.string().nullable(),
  file: FileFacts,
  /** Facts about the previous file, from the key map. */
  former: FileFacts.nullable(),
  /** When the key map was written that the plan is based on; null if no map existed. */
  former_at: z.string().nullable(),
});
export type PlanKeys = z.output<typeof Keys>;

/** Key map of an existing group. */
export type GroupKeys = PlanKeys & { group_id: string };

/** Returns the key map that a run's journal refers to. */
export function keysOf(value: unknown): PlanKeys | undefined {
  return Keys.safeParse(value).data;
}

/** Configuration that a plan belongs to. */
const Config = z.strictObject({
  project: z.string(),
  target: z.string(),
  lock_sha256: z.string().optional(),
  /** Changes of the lock file, known now and from the results of the steps. */
  lock: Values.optional(),
});

/** Returns the configuration that a run's journal refers to. */
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
  /** Random value, so that two plans with the same steps have different ids. */
  nonce: z.string().min(8),
  made_at: z.iso.datetime(),
  made_by: z.string(),
  command: z.array(z.string()),
  target: z.strictObject({
    base_url: z.string(),
    /** Ids of the oldest groups and assistants, which identify the organization. */
    anchors: z.array(z.string()),
    surface: z.string().optional(),
  }),
  /** Mirror that the rehearsal used. */
  base: z
    .strictObject({ mirror: z.string(), collected: z.array(z.string()), consistency: z.string() })
    .optional(),
  assumed: z.array(z.string()),
  estimate: z.strictObject({ writes: z.int().nonnegative(), seconds: z.number().nonnegative() }),
  /** By resource. */
  summary: z.record(z.string(), Counts),
  /** Names of the required secrets, each with the fields that use it. */
  secrets: z.record(z.string(), z.array(z.string())),
  /** The organization spec of the plan. Its name identifies the organizations that the plan creates. */
  provision: z.strictObject({ name: z.string().optional() }).optional(),
  /** Key map of a synchronization, which stores the results of the steps. */
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
 * @throws z.ZodError for an invalid line, including unknown members, because one of them could be a precondition;
 *   SyntaxError for invalid JSON
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

/**
 * Returns whether a value from a journal is a step of a plan. Checks only its shape, because it was validated before it
 * was stored.
 */
export function isStoredStep(value: unknown): value is PlanStep {
  const { step, op } = recordOf(value);
  return typeof step === "number" && typeof op === "string" && isOperationName(op);
}

/** Returns whether a value from a journal is a row of a plan's file. */
export function isStoredRow(value: unknown): value is FileRow {
  return "row" in recordOf(value);
}

/** @throws z.ZodError if a value is not a step of a plan */
function parsePlanStep(value: unknown): PlanStep {
  return Step.parse(value);
}
