import type { Context } from "../context.js";
import { findAffectedResources, readResources } from "../distributor/affected-resources.js";
import type { Input } from "../input.js";
import { toValues } from "../kernel/json-text.js";
import type { Recorder } from "../kernel/recorder.js";
import { stripQuery } from "../paths.js";
import type { Progress } from "../policy.js";
import type { RequestRecord, ResponseRecord } from "../records.js";
import { Refusal } from "../refusal.js";
import type { Route } from "../routes.js";

const memberTables: Readonly<Record<string, string>> = {
  contacts: "contacts",
  knowledge: "knowledge_items",
  forwardings: "forwardings",
  glossary: "glossary_items",
  pronunciation: "pronunciation_items",
};

export function isRecorded({ operation }: Route): boolean {
  return operation.method !== "GET" && ["public", "legacy", "distributor-v2"].includes(operation.api);
}

/** Runs in the caller's transaction; a refusal without an effect is not recorded. */
export function runRecorded(
  recorder: Recorder,
  route: Route,
  context: Context,
  input: Input,
  request: RequestRecord,
): { result: unknown; write: number | undefined } {
  const { name, reader, operation } = route;
  if (operation.api === "distributor-v2")
    return runRecordedForDistributor(recorder, route, context, input, request);
  const [resource = ""] = name.split(".");
  const read = (path: Record<string, string>) =>
    ignoreRefusal(() =>
      toValues(
        context.state.mirror.applyMirror(`${resource}.get`, reader?.(context, { path, query: {}, body: {} })),
      ),
    );
  const [target] = Object.values(input.path);
  const isCall = name === "calls.create" || name === "legacy.call";
  const isRecording = name === "calls.recording.delete";
  const before = target === undefined ? undefined : read(input.path);
  const wasErased = isRecording && isErased(context, target);
  const cascaded = name === "groups.delete" && target !== undefined ? findMembers(context, target) : {};
  const result = toValues(route.handler(context, input));
  const isKept = result instanceof Refusal;
  const createdId = target === undefined && !isKept ? readId(result) : null;
  const [parameter = ""] = Object.keys(input.path);
  const readAfter = () => {
    if (createdId !== null && isCall) return readPlacedCall(context, createdId);
    if (createdId !== null) return read({ [reader?.parameter ?? "id"]: createdId }) ?? result;
    return name.endsWith(".delete") || target === undefined ? undefined : read({ [parameter]: target });
  };
  const after = readAfter();
  // A returned refusal keeps the handler's changes. Record the refusal only if something changed.
  if (isKept && JSON.stringify(before) === JSON.stringify(after)) return { result, write: undefined };
  const write = recorder.add({
    at: context.now,
    operation: isCall ? "calls.create" : name,
    path: stripQuery(request.target),
    body: readBody(route, request),
    status: operation.success,
    code: isKept ? result.code : null,
    rule: isKept ? result.rule : null,
    effect: !wasErased,
    createdId,
    before,
    after,
    cascaded,
  });
  return { result, write };
}

/** Records all organizations and licenses that the handler can change. */
function runRecordedForDistributor(
  recorder: Recorder,
  route: Route,
  context: Context,
  input: Input,
  request: RequestRecord,
): ReturnType<typeof runRecorded> {
  const { name, operation } = route;
  const affected = findAffectedResources(context, name, input);
  const before = readResources(context, affected);
  const result = route.handler(context, input);
  const createdId = name === "orgs.create" ? readId(result) : null;
  const made = createdId === null ? [] : [`orgs/${createdId}`];
  const write = recorder.add({
    at: context.now,
    operation: name,
    path: stripQuery(request.target),
    body: readBody(route, request),
    status: operation.success,
    code: null,
    rule: null,
    effect: true,
    createdId,
    before: { ...before, ...Object.fromEntries(made.map((createdName) => [createdName, null])) },
    after: readResources(context, [...made, ...affected]),
    cascaded: {},
  });
  return { result, write };
}

export function recordRefusal(
  recorder: Recorder,
  route: Route | undefined,
  at: number,
  request: RequestRecord,
  { code, rule }: Progress,
  { status }: ResponseRecord,
): void {
  recorder.add({
    at,
    operation: route?.name ?? "unmatched",
    path: stripQuery(request.target),
    body: route === undefined ? null : readBody(route, request),
    status,
    code: code ?? null,
    rule: rule ?? null,
    effect: false,
    createdId: null,
    before: null,
    after: null,
    cascaded: {},
  });
}

function ignoreRefusal(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    // Don't refuse the request here, because the request's own handler makes the same checks.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function isErased({ database }: Context, callId: string | undefined): boolean {
  const row = database.prepare("SELECT recording_erased_at FROM calls WHERE id = ?").get(callId ?? "");
  return row !== undefined && row["recording_erased_at"] !== null;
}

function findMembers({ database }: Context, groupId: string): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(memberTables).map(([resource, table]) => [
      resource,
      database
        .prepare(`SELECT id FROM ${table} WHERE group_id = ? ORDER BY id`)
        .all(groupId)
        .map(({ id }) => String(id)),
    ]),
  );
}

/** The assistant and the destination together identify a call in every API. */
function readPlacedCall({ database }: Context, id: string): Record<string, unknown> {
  const row = database
    .prepare("SELECT assistant_id, assistant_phone, to_number FROM calls WHERE id = ?")
    .get(id);
  return {
    id,
    assistant_id: row?.["assistant_id"],
    assistant_phone: row?.["assistant_phone"],
    to: row?.["to_number"],
  };
}

function readId(result: unknown): string | null {
  if (typeof result !== "object" || result === null) return null;
  if ("id" in result) return String(result.id);
  if ("call_id" in result) return String(result.call_id);
  return "callId" in result ? String(result.callId) : null;
}

/** Converts a legacy API body to the Public API's field names. */
function readBody({ name }: Route, { body }: RequestRecord): unknown {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const value = text === "" ? null : parsed(text);
  if (name !== "legacy.call" || typeof value !== "object" || value === null) return value;
  const { assistantPhoneNumber, targetPhoneNumber, ...remaining }: Record<string, unknown> = { ...value };
  return { assistant_phone: assistantPhoneNumber, to: targetPhoneNumber, ...remaining };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The body of a refused request may be invalid.
    return null;
  }
}
