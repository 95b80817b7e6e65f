import { apis } from "../../contract/apis.js";
import type { EmulatorState } from "../emulator-state.js";
import { isPermitted } from "../kernel/keys.js";
import {
  type ApiPolicy,
  type Caller,
  countByKey,
  parseBearerToken,
  resetSeconds,
  secondsUntil,
} from "../policy.js";
import type { RequestRecord } from "../records.js";
import { invalid, Refusal } from "../refusal.js";

const unauthorized = (message: string) =>
  new Refusal("unauthorized", "public.auth.4", message, [], { "WWW-Authenticate": "Bearer" });

export const publicPolicy: ApiPolicy = {
  api: apis.public,

  authenticate: authenticateOrganizationKey,

  gate(caller, operation) {
    const organization = caller.organization;
    // A blocked organization always gets 402 (D-features).
    if (organization?.status === "blocked") {
      throw new Refusal("subscription_required", "D-features", "the organization is blocked");
    }
    for (const feature of ["public_api", operation.feature]) {
      if (feature !== null && !organization?.features.has(feature)) {
        throw new Refusal(
          "subscription_required",
          "public.auth.6",
          `the organization does not have the ${feature} feature`,
        );
      }
    }
  },

  countersOf: countByKey,

  // public.limits.2
  limitHeaders: (state) => ({
    "X-RateLimit-Limit": String(state.limit),
    "X-RateLimit-Remaining": String(state.remaining),
    "X-RateLimit-Reset": String(resetSeconds(state.endsAt)),
  }),

  // public.errors.2a
  exhausted: (state, now) =>
    new Refusal(
      "rate_limit_exceeded",
      "public.errors.2a",
      `the limit of ${state.limit} requests is used up; wait ${secondsUntil(state.endsAt, now)} s`,
      [],
      { "Retry-After": String(secondsUntil(state.endsAt, now)) },
    ),

  // If the rate limiter is down, requests are refused without rate-limit headers (public.errors.3).
  limiterDown: () =>
    new Refusal(
      "rate_limit_exceeded",
      "public.errors.3",
      "the rate limiter can't be reached; try again later",
    ),

  permit(caller, operation) {
    if (operation.permission !== null && !isPermitted(caller.key, operation.permission)) {
      throw new Refusal(
        "forbidden",
        "public.auth.5",
        `this key's role does not have the ${operation.permission} permission`,
      );
    }
  },

  invalid: (_place, rule, details) => invalid(rule, details),
  unmatched: (rule) => new Refusal("not_found", rule, "unknown path or method"),
  internalError: (message) => new Refusal("internal_error", "public.errors.6", message),

  // Spreading `base` would take ten times as long in Node 20.
  contextOf: (base, caller) => Object.assign(base, { organization: caller.organization }),

  // Every error has `details` (D-error).
  errorBody: (refusal) => ({
    error: { code: refusal.code, message: refusal.message, details: refusal.details }, // public.general.4
  }),
};

/** Accepts any active key of an organization, even one with the legacy prefix (D-keys). */
function authenticateOrganizationKey(
  state: EmulatorState,
  headers: RequestRecord["headers"],
  now: number,
): Caller {
  const presented = parseBearerToken(headers, "any case");
  if (presented === undefined) throw unauthorized("send the header Authorization: Bearer <API key>");
  const key = state.keys.find(presented);
  const organization = key?.organizationId ? state.organizations.get(key.organizationId) : undefined;
  const good =
    key !== undefined &&
    organization !== undefined &&
    (key.kind === "public" || key.kind === "legacy") && // public.auth.3
    key.status === "active" && // public.auth.4
    (key.expiresAt === null || now < key.expiresAt);
  if (!good) throw unauthorized("the API key is not valid");
  return { key, organization };
}
