/**
 * A plan file consists of JSON Lines: a header, the steps, and a hash of all preceding bytes. Steps are read
 * one at a time to limit memory use.
 */
import * as z from "zod";
import { parseExactJson } from "../../base/exact-json.js";
import { isOperationName } from "../../contract/operation-names.js";
import { recordOf } from "../values.js";

/** Values that can contain placeholders; see `references.ts`. */
const Values = z.record(z.string(), z.unknown());

const Preconditions = z.strictObject({
  /**
   * Limits what the list `in` may contain when the step is sent. Exactly `count` resources must equal the new
   * resource. With `name`, no resource may have this name. With `sharing`, no resource may have all strings in
   * `sharing` and one of the list entries in `sharing`.
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
  /** Resources that must exist, such as `groups/65f1…`. The plan doesn't create them. */
  exists: z.array(z.string()).optional(),
  /** Values that an update replaces. */
  fields: z.record(z.string(), z.unknown()).optional(),
  /** Fingerprint of the resource to delete. */
  same: z.string().optional(),
  /** The members of a group, if the step deletes the group. */
  members: z
    .strictObject({
      count: z.int().nonnegative(),
      hash: z.string(),
      /** Set if earlier steps remove members. The members are then compared right before the delete. */
      late: z.literal(true).optional(),
    })
    .optional(),
  /** The assistant must not have called the number since this time. */
  no_call: z.strictObject({ assistant: z.string(), to: z.string(), since: z.string() }).optional(),
  /** The resource's `updated_at`. Set if the step saves the resource unchanged, to index it again. */
  updated_at: z.string().optional(),
});

const undoClasses = ["full", "new-id", "partial", "none"] as const;
export type UndoClass = (typeof undoClasses)[number];

const OperationName = z.string().refine(isOperationName, "is not supported by this version of voxctl");

const Step = z.strictObject({
  step: z.int().positive(),
  op: OperationName,
  path: Values.optional(),
  body: Values.optional(),
  /** Numbers of earlier steps that this step needs but doesn't reference. */
  needs: z.array(z.int().positive()).optional(),
  if: Preconditions.optional(),
  /** Previous values: all fields of a deleted resource, or the changed fields of an updated one. */
  before: Values.optional(),
  /** Only for rehearsed plans: the sent fields with their values in the response. */
  after: Values.optional(),
  /** Set if the step changes no field but makes the service index the item again. */
  reindex: z.literal(true).optional(),
  undo: z.enum(undoClasses),
  /** Fields that contain secrets. The journal omits them from all states of the resource. */
  hidden: z.array(z.string()).optional(),
  /** The user's key for the step's row or file. `sent` is the hash of the sent values. */
  key: z.string().optional(),
  sent: z.string().optional(),
});
export type PlanStep = z.output<typeof Step>;

/** A member of a group. The preceding step deletes the group, and an undo recreates the member. */
const Member = z.strictObject({ members: z.int().positive(), op: z.string(), body: Values });
export type PlanMember = z.output<typeof Member>;

/**
 * Data about a row, for the key map. The row is from the synchronized file, or from an earlier file if its
 * contact still exists. If a property is missing, the key map keeps its previous value.
 */
const FileRow = z.strictObject({
  /** Number of the row. Null if only an earlier file contains it. */
  row: z.int().positive().nullable(),
  key: z.string().optional(),
  id: z.string().optional(),
  digest: z.string().optional(),
  /** Number of the step that decides the row's outcome. */
  of_step: z.int().positive().optional(),
  sent: Values.optional(),
  answer: Values.optional(),
  /** Whether `answer` is the response to a write. */
  written: z.boolean().optional(),
});
export type FileRow = z.output<typeof FileRow>;

/** Facts about a synchronized file. The next synchronization compares its file with them. */
const FileFacts = z.strictObject({
  rows: z.int().nonnegative(),
  invalid: z.int().nonnegative(),
  line_end: z.boolean(),
});

const Keys = z.strictObject({
  /** ID of the group; `{"$ref": 1}` if step 1 creates the group. */
  group_id: z.union([z.string(), z.strictObject({ $ref: z.int().positive() })]),
  column: z.string().nullable(),
  /** Path of the key map as typed. */
  state: z.string().nullable(),
  /** Directory for a relative `state` path. */
  state_directory: z.string().nullable(),
  file: FileFacts,
  former: FileFacts.nullable(),
  /** Time when the key map was last updated before the plan was created; null without a key map. */
  former_at: z.string().nullable(),
});
export type PlanKeys = z.output<typeof Keys>;

export type GroupKeys = PlanKeys & { group_id: string };

export function keysOf(value: unknown): PlanKeys | undefined {
  return Keys.safeParse(value).data;
}

const Config = z.strictObject({
  project: z.string(),
  target: z.string(),
  lock_sha256: z.string().optional(),
  /** Changes to the lock file. Some values come from the steps' results. */
  lock: Values.optional(),
});

export function configOf(value: unknown): PlanHeader["config"] {
  return Config.safeParse(value).data;
}

const Counts = z.strictObject({
  created: z.int().nonnegative(),
  updated: z.int().nonnegative(),
  /** Number of updates that give an organization a different license. */
  reassigned: z.int().nonnegative().optional(),
  deleted: z.int().nonnegative(),
});

const Header = z.strictObject({
  plan: z.literal(1),
  /** Random value, so that plans with the same steps have different IDs. */
  nonce: z.string().min(8),
  made_at: z.iso.datetime(),
  made_by: z.string(),
  command: z.array(z.string()),
  target: z.strictObject({
    base_url: z.string(),
    /** IDs of the oldest groups and assistants, which identify the organization. */
    anchors: z.array(z.string()),
    surface: z.string().optional(),
  }),
  /** The rehearsal's mirror, and the exit code of the rehearsed command. */
  base: z
    .strictObject({
      mirror: z.string(),
      collected: z.array(z.string()),
      consistency: z.string(),
      exit: z.int().optional(),
    })
    .optional(),
  assumed: z.array(z.string()),
  estimate: z.strictObject({ writes: z.int().nonnegative(), seconds: z.number().nonnegative() }),
  summary: z.record(z.string(), Counts),
  /** Names of required secrets, and the fields that use them. */
  secrets: z.record(z.string(), z.array(z.string())),
  /** The plan's organization spec. Its name identifies the new organizations. */
  provision: z.strictObject({ name: z.string().optional() }).optional(),
  keys: Keys.optional(),
  config: Config.optional(),
});
export type PlanHeader = z.output<typeof Header>;

const End = z.strictObject({ end: z.int().nonnegative(), sha256: z.string().regex(/^[0-9a-f]{64}$/) });

export type PlanLine =
  | { type: "header"; header: PlanHeader }
  | { type: "step"; step: PlanStep }
  | { type: "member"; member: PlanMember }
  | { type: "row"; row: FileRow }
  | { type: "end"; steps: number; sha256: string };

/**
 * Rejects unknown properties, because they could be preconditions.
 * @throws z.ZodError for an invalid line; SyntaxError for invalid JSON
 */
export function parsePlanLine(text: string): PlanLine {
  const value = parseExactJson(text);
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

export function isStoredStep(value: unknown): value is PlanStep {
  // Check only the shape, because the value was validated before it was stored.
  const { step, op } = recordOf(value);
  return typeof step === "number" && typeof op === "string" && isOperationName(op);
}

export function isStoredRow(value: unknown): value is FileRow {
  return "row" in recordOf(value);
}

/** @throws z.ZodError if a value is not a step of a plan */
function parsePlanStep(value: unknown): PlanStep {
  return Step.parse(value);
}
