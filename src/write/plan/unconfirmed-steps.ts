import { parseTime } from "../../base/time-text.js";
import { requeue, resend, unconfirmedResult } from "../engine/requeue.js";
import { type CreateScope, resolveUnconfirmedCreates } from "../engine/unconfirmed-creates.js";
import { type Fields, fingerprintOf, isAlike, isSame, omit } from "../fields.js";
import { type Item, isFinal, type Result } from "../journal/item.js";
import type { Journal } from "../journal/journal.js";
import { eachIn } from "../journal/outcome.js";
import { groupByFingerprint, type UnconfirmedCreates } from "../journal/unconfirmed-creates.js";
import { isInScope, listInScope, listResources } from "../remote.js";
import type { Sending } from "../subject.js";
import { recordOf } from "../values.js";
import { isNameProven, scopeOf, unlistedOf } from "./canonical.js";
import { createExistedBefore } from "./existed-before.js";
import { parseScope } from "./expectations.js";
import type { PlannedStep } from "./planned-steps.js";
import { plainFields } from "./references.js";
import { isAsSent, sentOf, targetOf } from "./sent.js";

/**
 * Returns the result of a step whose response was lost; undefined if only a list can show the result. Must
 * not be called while the request can still arrive.
 * @param options.resends whether the caller can send the request again; if false, only reads show the result
 */
export async function findResult(
  sending: Sending,
  item: Item,
  planned: PlannedStep,
  { resends = true } = {},
): Promise<Result | undefined> {
  if (item.action !== "create") return writtenResult(sending, item, planned, resends);
  if (planned.resource === "calls") return callResult(sending, item, planned);
  // Send the create again: the service rejects it if the resource exists.
  return resends && isNameProven(planned.resource) ? resend(item) : undefined;
}

/** @throws if the lists can't be read; the steps then stay unconfirmed */
export async function findListedSteps(sending: Sending): Promise<void> {
  const { context, journal } = sending;
  for (const scope of lostScopes(sending))
    await resolveUnconfirmedCreates(context, journal, createScope(sending, scope));
}

async function writtenResult(
  { journal, read }: Sending,
  item: Item,
  planned: PlannedStep,
  resends: boolean,
): Promise<Result> {
  const { number, action } = item;
  const { step, resource } = planned;
  // Send the request again: a second delete of a recording has no effect.
  if (resource === "recordings") return resend(item);
  const target = targetOf(journal, item, planned) ?? "";
  const now = await read(resource, target);
  if (action === "delete") return now === null ? { number, state: "done", target } : requeue(item);
  if (now === null) {
    const detail = { ...recordOf(item.detail), reason: "the resource no longer exists" };
    return { number, state: "rejected", outcome: "failed", detail };
  }
  // Responses don't contain secrets, and indexing twice is harmless, so send the request again.
  const hasSecrets = step.hidden?.some((field) => field in (step.body ?? {})) === true;
  if (step.reindex || (hasSecrets && resends)) return resend(item);
  const { body = {} } = sentOf(journal, planned);
  if (isAsSent(body, now, step)) return { number, state: "done", target, answer: now };
  // The journal contains the state right before each request. Without this state, no request was sent.
  if (item.before === undefined) return requeue(item);
  if (hasSecrets && Object.keys(plainFields(step.body ?? {})).length === 0)
    return unconfirmedResult(item, "responses don't show whether a secret was changed");
  const before = recordOf(item.before);
  if (Object.keys(body).every((field) => isSame(now[field], before[field]))) return requeue(item);
  return unconfirmedResult(item, "another user changed the resource after the request was sent");
}

/**
 * Searches for a call whose response was lost. Never sends the request again, because a call that is not
 * listed yet may still be made.
 */
async function callResult({ context, journal }: Sending, item: Item, planned: PlannedStep): Promise<Result> {
  const { body = {} } = sentOf(journal, planned);
  const to = body["to"] ?? body["target_phone"];
  const matches: { id: string; record: Fields }[] = [];
  for await (const call of listResources(context, "calls", {})) {
    const { record, id } = call;
    const isBy = body["assistant_id"] === undefined || record["assistant_id"] === body["assistant_id"];
    if (isBy && record["to"] === to && !journal.knowsTarget(id) && !isOlderThanRun(journal, record))
      matches.push(call);
  }
  const [call, ...moreMatches] = matches;
  if (call === undefined)
    return unconfirmedResult(item, "no matching call is listed yet, but the call may still be made");
  if (moreMatches.length > 0)
    return unconfirmedResult(item, "several calls match", { candidates: matches.map(({ id }) => id) });
  const detail = { ...recordOf(item.detail), matched: "by content" };
  return { number: item.number, state: "done", target: call.id, answer: call.record, detail };
}

/** Returns whether a record is over a minute older than the run, by this machine's clock. */
function isOlderThanRun(journal: Journal, record: Fields): boolean {
  const started = journal.setting("started_at");
  const { created_at } = record;
  return (
    typeof started === "number" && typeof created_at === "string" && parseTime(created_at) < started - 60_000
  );
}

interface LostStep {
  item: Item;
  /** Sent values that a response also contains. Omits secrets and fields in the list's filter. */
  body: Fields;
  scope: string;
}

function* lostSteps({ journal, plannedOf }: Sending): Generator<LostStep, void> {
  for (const item of eachIn(journal, "unknown")) {
    const planned = plannedOf(item);
    if (item.action !== "create" || planned.resource === "calls") continue;
    const { body: sent = {} } = sentOf(journal, planned);
    const scope = scopeOf(planned.resource, sent);
    if (scope === undefined) continue;
    // Ignore the fields of the filter: all listed resources match them, and some services omit them.
    const filter = Object.keys(parseScope(scope).query);
    yield { item, body: omit(sent, [...filter, ...(planned.step.hidden ?? [])]), scope };
  }
}

function lostScopes(sending: Sending): string[] {
  const scopes = [...lostSteps(sending)].filter(({ item }) => !isFinal(item)).map(({ scope }) => scope);
  return [...new Set(scopes)];
}

function createScope(sending: Sending, text: string): CreateScope {
  const { context, journal, read } = sending;
  const { resource, query } = parseScope(text);
  return {
    lost: () => lostIn(sending, text),
    list: () => listInScope(context, resource, query),
    async read(id) {
      const record = await read(resource, id);
      return record !== null && isInScope(record, query) ? { id, record } : undefined;
    },
    unlisted: unlistedOf(resource),
    hasExisted: createExistedBefore(journal),
  };
}

function lostIn(sending: Sending, scope: string): UnconfirmedCreates[] {
  const inScope = [...lostSteps(sending)].filter((lost) => lost.scope === scope);
  return groupByFingerprint(
    inScope.map(({ item, body }) => {
      const names = Object.keys(plainFields(body)).sort();
      return [`${names.join()} ${fingerprintOf(names, body)}`, { ...item, body }];
    }),
  );
}

/**
 * Finds a lost create's resource after the service rejected the repeated create as a duplicate.
 * @returns undefined if no resource has the name
 */
export async function findRefused(
  { context, journal, read }: Sending,
  item: Item,
  planned: PlannedStep,
): Promise<Result | undefined> {
  if (item.attempts === 0 || !isNameProven(planned.resource)) return undefined;
  const { body = {} } = sentOf(journal, planned);
  for await (const { id, record } of listResources(context, planned.resource, {})) {
    if (!isAlike("name", record["name"], body["name"]) || journal.knowsTarget(id)) continue;
    const now = (await read(planned.resource, id)) ?? {};
    if (!isAlike("name", now["name"], body["name"])) continue;
    const detail = { ...recordOf(item.detail), matched: "by its name" };
    return { number: item.number, state: "done", target: id, answer: now, detail };
  }
  return undefined;
}
