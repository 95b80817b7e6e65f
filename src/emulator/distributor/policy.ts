import { type Api, apis } from "../../contract/apis.js";
import type { DistributorErrorCode } from "../../contract/errors.js";
import {
  type ApiPolicy,
  countByKey,
  type InputPart,
  parseBearerToken,
  resetSeconds,
  secondsUntil,
} from "../policy.js";
import { describeDetails, Refusal, type RefusalDetail } from "../refusal.js";

export function refuse(code: DistributorErrorCode, rule: string, message: string): Refusal {
  return new Refusal(code, rule, message);
}

/**
 * Creates the refusal for a resource that is missing or belongs to another distributor (v1.errors.not-found).
 */
export function outOfScope(what: string): Refusal {
  return refuse("NOT_FOUND", "v1.errors.not-found", `${what} does not exist`);
}

const unauthorized = (code: DistributorErrorCode, rule: string, message: string) =>
  new Refusal(code, rule, message, [], { "WWW-Authenticate": "Bearer" });

const idFilters = new Set([
  "organizationId",
  "parentOrganizationId",
  "externalOrganizationId",
  "externalPartnerId",
]);

/** Returns the error code for invalid input (D-v2-order, v1.errors.id, v1.errors.range, v1.plan). */
function findErrorCode(
  part: InputPart,
  rule: string,
  details: readonly RefusalDetail[],
): DistributorErrorCode {
  const field = String(details[0]?.path[0] ?? "");
  if (part === "path") return "INVALID_ID";
  if (part === "query" && idFilters.has(field)) return "INVALID_ID";
  if (part === "query" && (field === "from" || field === "to")) return "INVALID_DATE_RANGE";
  if (part === "body" && rule === "v1.plan") return "INVALID_PLAN";
  return "VALIDATION_ERROR"; // v1.errors.validation
}

/** `rule` is `public.errors.1` if the schema names no rule. */
function findRule(version: "v1" | "v2", code: DistributorErrorCode, rule: string): string {
  if (version === "v1" && code === "INVALID_ID") return "v1.errors.id";
  if (version === "v1" && code === "INVALID_DATE_RANGE") return "v1.errors.range";
  if (rule !== "public.errors.1") return rule;
  return version === "v1" ? "v1.errors.validation" : "D-v2-order";
}

function createPolicy(version: "v1" | "v2", api: Api): ApiPolicy {
  return {
    api,

    authenticate(state, headers, now) {
      const presented = parseBearerToken(headers, "exact");
      if (presented === undefined) {
        throw unauthorized(
          "MISSING_API_KEY",
          "dist.auth.missing",
          "send the header Authorization: Bearer <API key>",
        );
      }
      const key = state.keys.find(presented);
      if (key?.kind !== "distributor" || key.distributorId === null || key.status !== "active") {
        throw unauthorized("INVALID_API_KEY", "dist.auth.missing", "the API key is not valid");
      }
      if (key.expiresAt !== null && now >= key.expiresAt) {
        throw unauthorized(
          "API_KEY_EXPIRED",
          "dist.auth.expired",
          "the API key has expired; request a new one",
        );
      }
      return { key, distributorId: key.distributorId };
    },

    gate(caller) {
      if (!caller.key.versions?.has(version)) {
        throw refuse(
          "API_VERSION_NOT_ALLOWED",
          "dist.auth.version",
          `this key is not valid for distributor API ${version}`,
        );
      }
    },

    countersOf: countByKey,

    // Every response to a request that reached the limiter has these headers, not only a 429 (dist.limits.2).
    limitHeaders: (state, now) => ({
      "Retry-After": String(secondsUntil(state.endsAt, now)),
      "X-RateLimit-Reset": String(resetSeconds(state.endsAt)),
    }),

    exhausted: (state, now) =>
      refuse(
        "RATE_LIMITED",
        "dist.limits.4",
        `the limit of ${state.limit} requests is used up; wait ${secondsUntil(state.endsAt, now)} s`,
      ),

    limiterDown: () =>
      refuse("RATE_LIMIT_UNAVAILABLE", "dist.limits.3", "the rate limiter can't be reached; try again later"),

    permit(caller, operation) {
      const { permissions } = caller.key;
      if (operation.permission !== null && permissions && !permissions.has(operation.permission)) {
        throw refuse(
          "MISSING_PERMISSION",
          "dist.auth.permission",
          `this key does not have the ${operation.permission} permission`,
        );
      }
    },

    invalid(part, rule, details) {
      const code = findErrorCode(part, rule, details);
      return new Refusal(code, findRule(version, code, rule), describeDetails(details), details);
    },

    unmatched: (rule) => refuse("NOT_FOUND", rule, "unknown path or method"),
    internalError: (message) => refuse("INTERNAL_ERROR", "public.errors.6", message),
    contextOf: (base, caller) => Object.assign(base, { distributorId: caller.distributorId }),

    // Both versions return flat errors (v1.errors.flat, D-v2-envelope).
    errorBody: (refusal) => ({ status: "error", errorCode: refusal.code, message: refusal.message }),
  };
}

export const distributorV1Policy = createPolicy("v1", apis["distributor-v1"]);
export const distributorV2Policy = createPolicy("v2", apis["distributor-v2"]);
