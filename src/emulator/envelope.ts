import { isDiskError } from "../base/describe-fs-error.js";
import { messageOf } from "../base/error-code.js";
import { stringifyExactJson } from "../base/exact-json.js";
import type { Operation } from "../contract/operation.js";
import { BinaryResponse, type Page } from "./context.js";
import { createDamagedError, isDamage, toFileError } from "./database/file-errors.js";
import { UnusableFileError } from "./database/schema.js";
import type { EmulatorState } from "./emulator-state.js";
import { encodeCursor } from "./kernel/cursor.js";
import { JsonText } from "./kernel/json-text.js";
import { type Progress, type ResponsePolicy, statusOf } from "./policy.js";
import type { ResponseRecord } from "./records.js";
import { Refusal } from "./refusal.js";

const json = "application/json; charset=utf-8";

interface Route {
  readonly name: string;
  readonly operation: Pick<Operation, "responseShape" | "success">;
  readonly policy: ResponsePolicy;
}

export function toSuccessResponse(
  state: EmulatorState,
  route: Route,
  result: unknown,
  progress: Progress,
): ResponseRecord {
  if (result instanceof BinaryResponse) {
    return {
      status: result.status,
      headers: { ...result.headers, ...progress.limitHeaders },
      body: result.bytes,
    };
  }
  return {
    status: route.operation.success, // public.endpoints.crud
    headers: { "Content-Type": json, ...progress.limitHeaders },
    body: wrapResult(state, route, result, progress),
  };
}

function wrapResult(
  state: EmulatorState,
  { name, operation, policy }: Route,
  result: unknown,
  { caller }: Progress,
): string {
  const { envelope, meta } = policy.api;
  // The Public API's envelope has only `data` (public.general.2); the distributor API also has `status`
  // (D-v2-envelope).
  const wrap = (data: string, more = "") =>
    `${envelope === "data" ? '{"data":' : '{"status":"success","data":'}${data}${more}}`;
  switch (operation.responseShape) {
    case "bare":
      return textOf(state, result);
    case "empty":
      // D-empty, D-v2-delete
      return wrap("{}");
    case "page": {
      // According to the type `Handlers`, a list handler returns a page.
      const page = result as Page;
      const owner = caller?.organization?.id ?? caller?.distributorId ?? "";
      const scope = { operation: name, owner, filters: page.filters };
      const cursor = page.next && encodeCursor(state.cursorHmac, scope, page.next);
      // public.general.3
      const about = { [meta.hasMore]: cursor !== null, [meta.nextCursor]: cursor };
      return wrap(textOf(state, page.rows), `,"meta":${JSON.stringify(about)}`);
    }
    default:
      return wrap(textOf(state, result));
  }
}

function textOf({ mirror }: EmulatorState, value: unknown): string {
  if (value instanceof JsonText) return value.text;
  // Only a mirror can contain numbers that JavaScript can't represent exactly. Otherwise, use the faster
  // `JSON.stringify`.
  return mirror.isMirror ? stringifyExactJson(value) : JSON.stringify(value);
}

export function toRefusalResponse(
  policy: ResponsePolicy,
  refusal: Refusal,
  progress: Progress,
): ResponseRecord {
  progress.code = refusal.code;
  progress.rule = refusal.rule;
  return {
    status: statusOf(policy, refusal),
    headers: {
      "Content-Type": json,
      "X-Emulator-Rule": refusal.rule, // emulator.explain
      ...progress.limitHeaders,
      ...refusal.headers,
    },
    body: JSON.stringify(policy.errorBody(refusal)),
  };
}

export function toErrorResponse(
  state: EmulatorState,
  policy: ResponsePolicy,
  error: unknown,
  progress: Progress,
): ResponseRecord {
  if (error instanceof Refusal) return toRefusalResponse(policy, error, progress);
  const unusable = isDamage(error) ? createDamagedError(state.options.path, error) : error;
  const reason = policy.internalError(formatReason(unusable));
  const response = toRefusalResponse(policy, reason, progress);
  if (unusable instanceof UnusableFileError) response.unusable = unusable;
  else if (isDiskError(error)) response.unusable = toFileError(state.options.path, error);
  return response;
}

/** Distinguishes problems of this machine from bugs in voxctl. */
function formatReason(error: unknown): string {
  const message = messageOf(error);
  if (error instanceof UnusableFileError) return message;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ERR_MODULE_NOT_FOUND")
    return `a voxctl file is missing, possibly because another version was installed; restart the emulator: ${message}`;
  if (/disk is full|disk I\/O|readonly database|database is locked/.test(message))
    return `the emulator database can't be used: ${message}`;
  return `a bug in the emulator: ${message}`;
}
