import { timingSafeEqual } from "node:crypto";
import * as z from "zod";
import { apis } from "../../contract/apis.js";
import type { EmulatorState } from "../emulator-state.js";
import { hashSecret } from "../kernel/keys.js";
import { parseBearerToken, type ResponsePolicy } from "../policy.js";
import { publicPolicy } from "../public/policy.js";
import type { RequestRecord } from "../records.js";
import { checkOrigin, Refusal } from "../refusal.js";
import { describeIssue } from "./describe-issue.js";

/** Uses the Public API's envelopes, but has weaker checks for bodies and paths. */
export const controlPolicy: ResponsePolicy = {
  api: apis.public,
  anyMediaType: true,
  // Requests that fill a mirror contain whole pages with long texts.
  anySize: true,
  // A parameter is an ID or the name of a table, key or snapshot. For an unknown ID or name, the handler
  // returns 404.
  parameter: z.string(),
  describeIssue,
  invalid: publicPolicy.invalid,
  internalError: publicPolicy.internalError,
  errorBody: publicPolicy.errorBody,
};

/**
 * Accepts only requests with the control token and requests from the emulator's web page (emulator.control).
 * @throws Refusal 401, 403
 */
export function authorize(
  state: EmulatorState,
  request: RequestRecord,
  isFromPage: (request: RequestRecord) => boolean,
): void {
  const originRefusal = checkOrigin(request.headers);
  if (originRefusal) throw originRefusal;
  if (isFromPage(request)) return;
  const token = parseBearerToken(request.headers, "any case");
  if (token !== undefined && timingSafeEqual(hashSecret(token), hashSecret(state.controlToken))) return;
  const message = "send the header Authorization: Bearer <control token>";
  throw new Refusal("unauthorized", "emulator.control", message, [], { "WWW-Authenticate": "Bearer" });
}
