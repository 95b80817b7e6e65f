import { apis } from "../../contract/apis.js";
import type { LegacyErrorCode } from "../../contract/errors.js";
import { type ApiPolicy, countByKey, type InputPart, parseBearerToken, secondsUntil } from "../policy.js";
import { describeDetails, Refusal } from "../refusal.js";

export function refuse(
  code: LegacyErrorCode,
  rule: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  return new Refusal(code, rule, message, [], headers);
}

const challenge = { "WWW-Authenticate": "Bearer" };

function findErrorCode(part: InputPart, rule: string): LegacyErrorCode {
  if (part === "body" && rule === "legacy.phone-format") return "INVALID_PHONE_FORMAT";
  if (part === "body" && rule === "legacy.german") return "INVALID_TARGET_NUMBER";
  return "VALIDATION_ERROR";
}

export const legacyPolicy: ApiPolicy = {
  api: apis.legacy,

  // Accepts any active key of an organization, even one with the legacy prefix (legacy.auth, D-keys).
  authenticate(state, headers, now) {
    const presented = parseBearerToken(headers, "exact");
    if (presented === undefined) {
      throw refuse(
        "MISSING_API_KEY",
        "legacy.auth",
        "send the header Authorization: Bearer <API key>",
        challenge,
      );
    }
    const key = state.keys.find(presented);
    const organization = key?.organizationId ? state.organizations.get(key.organizationId) : undefined;
    const good =
      key !== undefined &&
      organization !== undefined &&
      (key.kind === "public" || key.kind === "legacy") &&
      key.status === "active" &&
      (key.expiresAt === null || now < key.expiresAt);
    if (!good) throw refuse("INVALID_API_KEY", "legacy.auth", "the API key is not valid", challenge);
    return { key, organization };
  },

  // D-legacy-limit
  gate(caller, operation) {
    if (caller.organization?.status === "blocked") {
      throw refuse("SUBSCRIPTION_REQUIRED", "D-legacy-limit", "the organization is blocked");
    }
    const { feature } = operation;
    if (feature !== null && !caller.organization?.features.has(feature)) {
      throw refuse(
        "SUBSCRIPTION_REQUIRED",
        "D-legacy-limit",
        `the organization does not have the ${feature} feature`,
      );
    }
  },

  countersOf: countByKey,
  // The documentation defines rate-limit headers only for refusals.
  limitHeaders: () => ({}),

  exhausted: (state, now) =>
    refuse(
      "RATE_LIMIT_EXCEEDED",
      "legacy.limit",
      `the limit of ${state.limit} requests is used up; wait ${secondsUntil(state.endsAt, now)} s`,
      { "Retry-After": String(secondsUntil(state.endsAt, now)) },
    ),

  limiterDown: () =>
    refuse("RATE_LIMIT_EXCEEDED", "legacy.limit", "the rate limiter can't be reached; try again later"),

  // The legacy API doesn't check roles (D-legacy-limit).
  permit: () => undefined,

  invalid(part, rule, details) {
    return new Refusal(findErrorCode(part, rule), rule, describeDetails(details), details);
  },

  unmatched: (rule) => refuse("NOT_FOUND", rule, "unknown path or method"),
  internalError: (message) => refuse("INTERNAL_ERROR", "public.errors.6", message),
  contextOf: (base, caller) => Object.assign(base, { organization: caller.organization }),

  // D-legacy-error
  errorBody: (refusal) => ({ status: "error", code: refusal.code, message: refusal.message }),
};
