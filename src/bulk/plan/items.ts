/** A plan's steps as the items of the run that carries it out. */
import type { Item, NewItem } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { recordOf } from "../values.js";
import { labelOf, resourceOf, uniqueNameOf } from "./canonical.js";
import { type FileRow, type PlanMember, type PlanStep, parsePlanLine } from "./format.js";
import type { Plan } from "./read.js";
import { referencesOf } from "./references.js";
import { thingOf } from "./steps.js";

/** The facts about a step that a run needs beside the step itself. */
export interface PlannedStep {
  step: PlanStep;
  resource: string;
  /** Steps that have to be done before it: those it refers to, and the one before on the same thing. */
  requires: readonly number[];
  /** Steps that have to be through before it, whatever became of them. */
  follows: readonly number[];
  /** The step before on the same thing. */
  previous: number | undefined;
  /** Others may refer to what it deletes: everything before it has to be through. */
  isBarrier: boolean;
}

/** The things that an assistant, or a thing in a group, can refer to. */
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
  delete: { outcome: "deleted", action: "delete" },
};

/** The outcome of a step once it is done. */
export function outcomeOf({ op, reindex }: PlanStep): string {
  if (op === "calls.create") return "called";
  if (op === "calls.recording.delete") return "erased";
  return reindex ? "reindexed" : (outcomes[verbOf(op)]?.outcome ?? "updated");
}

function verbOf(op: string): string {
  return op.slice(op.lastIndexOf(".") + 1);
}

/** Writes a plan's steps into the journal of its run, and who depends on whom. */
export async function insertSteps(journal: Journal, plan: Plan): Promise<void> {
  const { database } = journal;
  database.exec(
    `CREATE TABLE last_steps (thing TEXT PRIMARY KEY, step INTEGER NOT NULL) WITHOUT ROWID;
     CREATE TABLE members (number INTEGER PRIMARY KEY, step INTEGER NOT NULL, line TEXT NOT NULL);
     CREATE INDEX members_step ON members (step);
     CREATE TABLE file_rows (number INTEGER PRIMARY KEY, line TEXT NOT NULL)`,
  );
  const last = (thing: string) => {
    const step = database.prepare("SELECT step FROM last_steps WHERE thing = ?").get(thing)?.["step"];
    return step === undefined ? undefined : Number(step);
  };
  const setLast = (thing: string, step: number) =>
    void database
      .prepare("INSERT INTO last_steps VALUES (?, ?) ON CONFLICT DO UPDATE SET step = excluded.step")
      .run(thing, step);
  for await (const entry of plan.entries()) {
    if (entry.type === "member") {
      database
        .prepare("INSERT INTO members (step, line) VALUES (?, ?)")
        .run(entry.member.members, JSON.stringify(entry.member));
      continue;
    }
    if (entry.type === "row") {
      database.prepare("INSERT INTO file_rows (line) VALUES (?)").run(JSON.stringify(entry.row));
      continue;
    }
    const { step } = entry;
    const resource = resourceOf(step.op);
    const thing = thingOf(resource, step);
    const previous = thing === undefined ? undefined : last(thing);
    // A name that is given up has to be free before another thing takes it.
    const sibling = uniqueNameOf(resource) ? last(`${resource}/*`) : undefined;
    journal.insert(
      newItemOf({
        step,
        resource,
        requires: [...new Set([...referencesOf(step), ...(previous === undefined ? [] : [previous])])],
        follows: sibling === undefined ? [] : [sibling],
        previous,
        isBarrier: step.op.endsWith(".delete") && referredTo.has(resource),
      }),
    );
    if (thing !== undefined) setLast(thing, step.step);
    if (uniqueNameOf(resource)) setLast(`${resource}/*`, step.step);
  }
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
    before: step.before ?? step.if?.fields,
    input: planned,
    detail: nameOf(resource, step),
  };
}

/** By what the report names a step. */
function nameOf(resource: string, step: PlanStep): { op: string; name?: string } {
  const label = labelOf(resource, { ...step.if?.fields, ...step.before, ...step.body });
  return { op: step.op, ...(label === "" ? {} : { name: label }) };
}

/** The step of an item, as the journal has it. */
export function plannedStepOf({ input }: Pick<Item, "input">): PlannedStep {
  const { step, resource, requires, follows, previous, isBarrier } = recordOf(input);
  const line = parsePlanLine(JSON.stringify(step));
  if (line.type !== "step") throw new TypeError("a journal's item holds no step of a plan");
  return {
    step: line.step,
    resource: String(resource),
    requires: numbersIn(requires),
    follows: numbersIn(follows),
    previous: typeof previous === "number" ? previous : undefined,
    isBarrier: isBarrier === true,
  };
}

function numbersIn(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "number") : [];
}

/** The rows of the file that the plan was made from. */
export function* fileRowsIn({ database }: Journal): Generator<FileRow, void> {
  for (const row of database.prepare("SELECT line FROM file_rows ORDER BY number").iterate()) {
    const line = parsePlanLine(String(row["line"]));
    if (line.type === "row") yield line.row;
  }
}

/** The members of the group that a step deletes, as the plan was sealed with them. */
export function* membersIn({ database }: Journal, step: number): Generator<PlanMember, void> {
  const rows = database.prepare("SELECT line FROM members WHERE step = ? ORDER BY number").iterate(step);
  for (const row of rows) {
    const line = parsePlanLine(String(row["line"]));
    if (line.type === "member") yield line.member;
  }
}
