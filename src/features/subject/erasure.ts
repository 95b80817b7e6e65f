/** Decides whether to delete, redact or keep each record with the caller's data. Pure. */
import type { Fields } from "../../write/fields.js";
import type { PlanStep } from "../../write/plan/format.js";
import { deleteStep, updateStep } from "../../write/plan/steps.js";
import { recordOf } from "../../write/values.js";
import { certain, type Matcher } from "./matcher.js";
import type { Findings, FoundResource } from "./organization.js";

const erasedMark = "[erased]";

export interface Erasure {
  where: FoundResource["where"];
  id: string;
  /**
   * `delete`: delete the record. `recording`: delete a call's audio. `redact`: replace the caller's data in
   * text fields.
   */
  action: "delete" | "recording" | "redact";
  step: PlanStep;
}

export interface Remain {
  where: string;
  /** ID of the record; null if the entry is about all records of this resource type. */
  id: string | null;
  what: string;
  /**
   * Reason for keeping the part. `service`: the API has no way to erase it. `not_asked`: the user must
   * request the erasure with a flag. `undecided`: the user must decide. `failed`: the erasure failed.
   * `not_searched`: the record could not be read.
   */
  why: "service" | "not_asked" | "undecided" | "failed" | "not_searched";
  todo: string;
}

export interface ErasureDecision {
  erasures: Erasure[];
  remains: Remain[];
  /** Records that match only by name and are therefore kept. */
  hints: { where: string; id: string }[];
}

interface ErasureRules {
  matcher: Matcher;
  recordings: boolean;
  /** IDs of uncertain matches to treat as the caller's. */
  include: ReadonlySet<string>;
}

/** Decides what to do with each matching record. A match by name alone never causes an erasure. */
export function decideErasure(
  { resources, notSearched }: Pick<Findings, "resources" | "notSearched">,
  rules: ErasureRules,
): ErasureDecision {
  const decision: ErasureDecision = { erasures: [], remains: [], hints: [] };
  for (const resource of resources) {
    const { where, id } = resource;
    const { action, stepOf, remains, isHint } = judgeResource(resource, rules);
    if (action !== undefined && stepOf !== undefined)
      decision.erasures.push({ where, id, action, step: stepOf(decision.erasures.length + 1) });
    decision.remains.push(...remains);
    if (isHint) decision.hints.push({ where, id });
  }
  for (const { where, id, reason, failed } of notSearched)
    if (failed)
      decision.remains.push({
        ...{ where, id, what: "was not searched", why: "not_searched" },
        todo: `${reason}; check it manually, or run the command again with a key that has access`,
      });
  return decision;
}

interface Judgement {
  action?: Erasure["action"];
  stepOf?: (step: number) => PlanStep;
  remains: Remain[];
  isHint?: boolean;
}

function judgeResource(resource: FoundResource, rules: ErasureRules): Judgement {
  const { where, id, record, occurrences } = resource;
  const isTheirs = rules.include.has(id) || occurrences.some(({ certainty }) => certainty === certain);
  if (!isTheirs) return keepUncertain(resource);
  if (where === "contacts")
    return { action: "delete", stepOf: (step) => deleteStep(where, id, record, { step }), remains: [] };
  if (where === "calls") return judgeCall(resource, rules);
  return where === "knowledge" || where === "prompts" ? judgeText(resource, rules) : judgeSetting(resource);
}

/**
 * Keeps a match in a setting, because only the user can decide about it: a setting may contain a number on
 * purpose, for example a colleague's number.
 */
function judgeSetting({ where, id, occurrences }: FoundResource): Judgement {
  const what = [...new Set(occurrences.map(({ field }) => field))].join(", ");
  const todo = `edit it: \`voxctl ${where} get ${id}\``;
  return { remains: [{ where, id, what, why: "undecided", todo }] };
}

function keepUncertain({ where, id, occurrences }: FoundResource): Judgement {
  if (!occurrences.some(({ certainty }) => certainty === "possible")) return { remains: [], isHint: true };
  const todo = `check it; to erase it, use --include ${id}`;
  return { remains: [{ where, id, what: "data that may be the caller's", why: "undecided", todo }] };
}

function judgeCall({ where, id, record, occurrences }: FoundResource, rules: ErasureRules): Judgement {
  const parts = [...new Set(occurrences.map(({ field }) => field.replace(/[[.].*$/, "")))];
  const remains: Remain[] = [
    {
      ...{ where, id, what: `the call (${parts.join(", ")})`, why: "service" },
      todo: "the API can't erase it: ask the service's operator",
    },
  ];
  if (!hasRecording(record)) return { remains };
  // A call that only mentions the caller is another person's call.
  const isOwn =
    rules.include.has(id) ||
    occurrences.some(({ field, certainty }) => certainty === certain && /^(?:from|to)$/.test(field));
  if (isOwn && rules.recordings) {
    const step = { op: "calls.recording.delete", path: { call_id: id }, undo: "none" } as const;
    return { action: "recording", stepOf: (number) => ({ step: number, ...step }), remains };
  }
  remains.unshift({
    ...{ where, id, what: "the recording", why: isOwn ? "not_asked" : "undecided" },
    todo: isOwn
      ? "to erase it, use --recordings"
      : `another person's call; to delete its recording, run \`voxctl calls recording delete ${id}\``,
  });
  return { remains };
}

function judgeText(resource: FoundResource, { matcher, include }: ErasureRules): Judgement {
  const { where, id, record, occurrences } = resource;
  const isSelected = (certainty: string) => include.has(id) || certainty === certain;
  const changes = redactFields(matcher, record, isSelected);
  const remains: Remain[] = [];
  const unredacted = occurrences.filter(
    ({ field, certainty }) => isSelected(certainty) && !Object.hasOwn(changes, field),
  );
  if (unredacted.length > 0)
    remains.push({
      ...{ where, id, what: unredacted.map(({ field }) => field).join(", "), why: "undecided" },
      todo: "edit it manually",
    });
  if (occurrences.some(({ certainty }) => !isSelected(certainty)))
    remains.push(...keepUncertain(resource).remains);
  if (Object.keys(changes).length === 0) return { remains };
  return { action: "redact", stepOf: (step) => updateStep(where, id, changes, record, { step }), remains };
}

/** Returns only the changed fields. */
function redactFields(
  matcher: Matcher,
  record: Fields,
  isSelected: (certainty: string) => boolean,
): Record<string, string> {
  const changes: Record<string, string> = {};
  for (const field of ["name", "text"]) {
    const value = record[field];
    if (typeof value !== "string") continue;
    const redacted = redact(matcher, value, isSelected);
    if (redacted !== value.normalize("NFC")) changes[field] = redacted;
  }
  return changes;
}

function redact(matcher: Matcher, text: string, isSelected: (certainty: string) => boolean): string {
  const whole = text.normalize("NFC");
  let redacted = "";
  let end = 0;
  for (const match of matcher.find(whole)) {
    if (!isSelected(match.certainty)) continue;
    redacted += `${whole.slice(end, match.start)}${erasedMark}`;
    end = match.end;
  }
  return redacted + whole.slice(end);
}

/** A call without this field may still have a recording. */
function hasRecording(record: Fields): boolean {
  return recordOf(record["recording"])["available"] !== false;
}
