import type { ApiName } from "./apis.js";

export interface ErrorCode {
  readonly status: number;
  readonly retryRead: boolean;
  /** True only if the failed mutation had no effect. */
  readonly retryMutation: boolean;
  /** True if, according to the documents, the request had no effect although the server failed. */
  readonly nothingHappened?: true;
}

const final = (status: number): ErrorCode => ({ status, retryRead: false, retryMutation: false });
const later = (status: number): ErrorCode => ({ status, retryRead: true, retryMutation: true });
// After an `unclear` error, it is unknown whether a mutation had an effect.
const unclear: ErrorCode = { status: 500, retryRead: true, retryMutation: false };

/** The codes in the table "Errors" in the documents of the Public API. */
export const publicErrors = {
  validation_failed: final(400),
  unauthorized: final(401),
  subscription_required: final(402),
  forbidden: final(403),
  not_found: final(404),
  conflict: final(409),
  outbound_target_blocked: final(409),
  rate_limit_exceeded: later(429),
  internal_error: unclear,
} as const satisfies Record<string, ErrorCode>;

/**
 * The codes that v1 and v2 of the distributor API share. Source: the table "Errors" in the documents of v1
 * (D-v2-envelope).
 */
const distributorErrors = {
  MISSING_API_KEY: final(401),
  INVALID_API_KEY: final(401),
  API_KEY_EXPIRED: final(401),
  API_VERSION_NOT_ALLOWED: final(403),
  MISSING_PERMISSION: final(403),
  VALIDATION_ERROR: final(400),
  INVALID_ID: final(400),
  INVALID_DATE_RANGE: final(400),
  DATE_RANGE_TOO_LARGE: final(400),
  NOT_FOUND: final(404),
  RATE_LIMITED: later(429),
  RATE_LIMIT_UNAVAILABLE: later(503),
  INTERNAL_ERROR: unclear,
} as const satisfies Record<string, ErrorCode>;

const distributorV1Errors = {
  ...distributorErrors,
  DUPLICATE_EXTERNAL_PARTNER_ID: final(409),
  DUPLICATE_EXTERNAL_CUSTOMER_ID: final(409),
  PARTNER_NOT_FOUND: final(404),
  PARTNER_HAS_ORGANIZATIONS: final(409),
  INVALID_PLAN: final(400),
  PLAN_NOT_FOUND: final(404),
  ORG_CREATION_FAILED: unclear,
} as const satisfies Record<string, ErrorCode>;

const distributorV2Errors = {
  ...distributorErrors,
  DUPLICATE_EXTERNAL_ORGANIZATION_ID: final(409),
  ORGANIZATION_HAS_CHILDREN: final(409),
  LICENSE_NOT_AVAILABLE: final(409),
  LICENSE_NOT_FOUND: final(404),
} as const satisfies Record<string, ErrorCode>;

/**
 * The codes in the table "Errors" in the documents of the legacy API, and an assumed code (D-legacy-limit).
 */
const legacyErrors = {
  MISSING_API_KEY: final(401),
  INVALID_API_KEY: final(401),
  SUBSCRIPTION_REQUIRED: final(402),
  ASSISTANT_NOT_FOUND: final(400),
  INVALID_PHONE_FORMAT: final(400),
  INVALID_TARGET_NUMBER: final(400),
  VALIDATION_ERROR: final(400),
  NOT_FOUND: final(404),
  RATE_LIMIT_EXCEEDED: later(429),
  // According to the documents, this error means that no call was created.
  CALL_FAILED: { ...unclear, nothingHappened: true },
  INTERNAL_ERROR: unclear,
} as const satisfies Record<string, ErrorCode>;

export const errorCodes: Readonly<Record<ApiName, Readonly<Record<string, ErrorCode>>>> = {
  public: publicErrors,
  "distributor-v1": distributorV1Errors,
  "distributor-v2": distributorV2Errors,
  legacy: legacyErrors,
};

export type DistributorErrorCode = keyof typeof distributorV1Errors | keyof typeof distributorV2Errors;
export type LegacyErrorCode = keyof typeof legacyErrors;
