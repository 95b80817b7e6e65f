import { parseExactJson, stringifyExactJson } from "../../base/exact-json.js";
import { type Fields, pick } from "../fields.js";
import { inserterInto } from "../journal/inserter.js";
import type { NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { labelOf, resourceOf, uniqueNameOf } from "./canonical.js";
import { type FileRow, isStoredRow, type PlanMember, type PlanStep, parsePlanLine } from "./format.js";
import type { PlannedStep } from "./planned-steps.js";
import type { PlanSource } from "./read.js";
import { referencesOf, secretsIn } from "./references.js";
import { findResourceKey } from "./steps.js";

/** Resource types that assistants and resources in groups can reference. */
export const referredTo: ReadonlySet<string> = new Set([
  "groups",
  "prompts",
  "calendars",
  "tools",
  "assistants",
]);

const outcomes: Readonly<Record<string, { outcome: string; action: NewItem["action"] }>> = {
  create: { outcome: "created", action: "create" },
  update: { outcome: "updated", action: "update" },
  reassign: { outcome: "reassigned", action: "update" },
  delete: { outcome: "deleted", action: "delete" },
};

export function outcomeOf({ op, reindex }: PlanStep, action: NewItem["action"] = "update"): string {
  if (op === "calls.create") return "called";
  if (op === "calls.recording.delete") return "erased";
  if (reindex) return "reindexed";
  return (outcomes[verbOf(op)] ?? outcomes[action])?.outcome ?? "updated";
}

function verbOf(op: string): string {
  return op.slice(op.lastIndexOf(".") + 1);
}

export async function insertSteps(
  journal: Journal,
  plan: PlanSource,
  each: (step: PlanStep) => void,
): Promise<void> {
  const { database } = journal;
  database.exec(
    `CREATE TABLE last_steps (thing TEXT PRIMARY KEY, step INTEGER NOT NULL, previous INTEGER) WITHOUT ROWID;
     CREATE TABLE members (number INTEGER PRIMARY KEY, step INTEGER NOT NULL, line TEXT NOT NULL);
     CREATE INDEX members_step ON members (step);
     CREATE TABLE file_rows (number INTEGER PRIMARY KEY, line TEXT NOT NULL)`,
  );
  /** Returns the resource's previous step and records this step. */
  const takeTurn = (resourceKey: string, step: number) => {
    const row = database
      .prepare(
        "INSERT INTO last_steps (thing, step) VALUES (?, ?) ON CONFLICT DO UPDATE SET previous = step, step = excluded.step RETURNING previous",
      )
      .get(resourceKey, step);
    return typeof row?.["previous"] === "number" ? row["previous"] : undefined;
  };
  const items = inserterInto(journal);
  for await (const entry of plan.entries()) {
    if (entry.type === "member") {
      database
        .prepare("INSERT INTO members (step, line) VALUES (?, ?)")
        .run(entry.member.members, stringifyExactJson(entry.member));
      continue;
    }
    if (entry.type === "row") {
      database.prepare("INSERT INTO file_rows (line) VALUES (?)").run(stringifyExactJson(entry.row));
      continue;
    }
    const step = withHidden(entry.step);
    each(step);
    const resource = resourceOf(step.op);
    const resourceKey = findResourceKey(resource, step);
    const previous = resourceKey === undefined ? undefined : takeTurn(resourceKey, step.step);
    // If names are unique, a step that frees a name must be finished before the next step uses the name.
    const sibling = uniqueNameOf(resource) ? takeTurn(`${resource}/*`, step.step) : undefined;
    const planned = {
      step,
      resource,
      requires: [...new Set([...referencesOf(step), ...(previous === undefined ? [] : [previous])])],
      follows: sibling === undefined ? [] : [sibling],
      previous,
      isBarrier: step.op.endsWith(".delete") && referredTo.has(resource),
    };
    const { body, ...stored } = step;
    const input = body === undefined ? planned : { ...planned, step: stored, bodyInColumn: true };
    items.add({ ...newItemOf(planned), input });
  }
  items.flush();
}

/** Adds the fields of the request that contain secrets to the fields that the journal omits. */
function withHidden(step: PlanStep): PlanStep {
  const secret = Object.entries(step.body ?? {}).filter(([, value]) => secretsIn(value).length > 0);
  if (secret.length === 0) return step;
  return { ...step, hidden: [...(step.hidden ?? []), ...secret.map(([field]) => field)] };
}

export function newItemOf(planned: PlannedStep): NewItem {
  const { step, resource } = planned;
  const [target] = Object.values(recordOf(step.path));
  const isCreate = step.op.endsWith(".create");
  return {
    number: step.step,
    line: step.step,
    state: "planned",
    outcome: outcomeOf(step),
    action: outcomes[verbOf(step.op)]?.action,
    target: typeof target === "string" && !isCreate ? target : undefined,
    body: step.body,
    before: beforeOf(step),
    input: planned,
    detail: nameOf(resource, step),
  };
}

/**
 * Returns the resource's values from the plan; for an update, only the fields to change. Right before the
 * request, current values replace them in the journal.
 */
function beforeOf({ op, body = {}, before, if: expected }: PlanStep): Fields | undefined {
  const seen = before ?? expected?.fields;
  return seen === undefined || op.endsWith(".delete") ? seen : pick(seen, Object.keys(body));
}

function nameOf(resource: string, step: PlanStep): { op: string; name?: string } {
  const label = labelOf(resource, { ...step.if?.fields, ...step.before, ...step.body });
  return { op: step.op, ...(label === "" ? {} : { name: label }) };
}

export function* fileRowsIn({ database }: Journal): Generator<FileRow, void> {
  for (const row of database.prepare("SELECT line FROM file_rows ORDER BY number").iterate()) {
    const line = parseExactJson(String(row["line"]));
    if (isStoredRow(line)) yield line;
  }
}

export function* membersIn({ database }: Journal, step: number): Generator<PlanMember, void> {
  const rows = database.prepare("SELECT line FROM members WHERE step = ? ORDER BY number").iterate(step);
  for (const row of rows) {
    const line = parsePlanLine(String(row["line"]));
    if (line.type === "member") yield line.member;
  }
}
