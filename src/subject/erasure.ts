/** Decides what becomes of a caller's things: a pure judgement over what was found. */
import type { Fields } from "../bulk/fields.js";
import type { PlanStep } from "../bulk/plan/format.js";
import { deleteStep, updateStep } from "../bulk/plan/steps.js";
import { recordOf } from "../bulk/values.js";
import { certain, type Matcher } from "./matcher.js";
import type { Findings, FoundResource } from "./organization.js";

/** Stands where a number, an address or a name stood. */
const erasedMark = "[erased]";

/** A thing, and what is done to it. */
export interface Erasure {
  where: FoundResource["where"];
  id: string;
  /** `delete`: the whole thing; `recording`: the audio of a call; `redact`: the caller's data in its texts. */
  action: "delete" | "recording" | "redact";
  step: PlanStep;
}

/** A thing that stays, and who can do what about it. */
export interface Remain {
  where: string;
  /** Null for all of them. */
  id: string | null;
  /** The part that stays. */
  what: string;
  /**
   * `service`: its API can't; `not_asked`: a flag does; `undecided`: a person has to look; `failed`: it was to be done,
   * and was not; `not_searched`: it could not be read.
   */
  why: "service" | "not_asked" | "undecided" | "failed" | "not_searched";
  /** The advice what to do about it. */
  todo: string;
}

export interface ErasureDecision {
  erasures: Erasure[];
  remains: Remain[];
  /** Things that have only a name of the caller's, and stay. */
  hints: { where: string; id: string }[];
}

interface ErasureRules {
  matcher: Matcher;
  /** Erase recordings of the caller's calls. */
  recordings: boolean;
  /** Things that are the caller's, though only a hint or a possible match says so. */
  include: ReadonlySet<string>;
}

/** Decides about everything that was found. Nothing is erased by a name alone. */
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
        todo: `${reason}: search it with a key that may read it`,
      });
  return decision;
}

/** Decides what becomes of one thing. */
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

/** How an organization is set up is changed by a person: a number may be there on purpose, as a colleague's. */
function judgeSetting({ where, id, occurrences }: FoundResource): Judgement {
  const what = [...new Set(occurrences.map(({ field }) => field))].join(", ");
  const todo = `change it by hand: voxctl ${where} get ${id}`;
  return { remains: [{ where, id, what, why: "undecided", todo }] };
}

/** Nothing says for certain that it is the caller's. */
function keepUncertain({ where, id, occurrences }: FoundResource): Judgement {
  if (!occurrences.some(({ certainty }) => certainty === "possible")) return { remains: [], isHint: true };
  const todo = `look at it: --include ${id} erases it, too`;
  return { remains: [{ where, id, what: "what may be the caller's", why: "undecided", todo }] };
}

function judgeCall({ where, id, record, occurrences }: FoundResource, rules: ErasureRules): Judgement {
  const parts = [...new Set(occurrences.map(({ field }) => field.replace(/[[.].*$/, "")))];
  const remains: Remain[] = [
    {
      ...{ where, id, what: `the call (${parts.join(", ")})`, why: "service" },
      todo: "the API can't erase it: the operator of the service has to",
    },
  ];
  if (!hasRecording(record)) return { remains };
  // A call in which others speak of the caller is not the caller's.
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
      ? "--recordings erases it"
      : `another's call, in which the caller occurs: voxctl calls recording delete ${id}, if it is to go`,
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
      todo: "change it by hand",
    });
  if (occurrences.some(({ certainty }) => !isSelected(certainty)))
    remains.push(...keepUncertain(resource).remains);
  if (Object.keys(changes).length === 0) return { remains };
  return { action: "redact", stepOf: (step) => updateStep(where, id, changes, record, { step }), remains };
}

/** The texts of a knowledge item or a prompt without the caller. */
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

/** A text with a mark in place of each match that is meant. */
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

/** T10: what does not say so may have one. */
function hasRecording(record: Fields): boolean {
  return recordOf(record["recording"])["available"] !== false;
}
