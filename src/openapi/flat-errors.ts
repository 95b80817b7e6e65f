import type { ApiName } from "../contract/apis.js";
import { type ErrorCode, errorCodes } from "../contract/errors.js";
import { headers } from "./headers.js";
import type { Errors, ResponseObject } from "./types.js";

type HeaderName = keyof typeof headers;

const errorResponses: Readonly<Record<number, { name: string; description: string }>> = {
  400: { name: "ValidationError", description: "The request is invalid." },
  401: { name: "Unauthorized", description: "The API key is missing, invalid or expired." },
  402: { name: "SubscriptionRequired", description: "The organization is blocked or lacks a feature." },
  403: { name: "Forbidden", description: "The key is for a different API version or lacks a permission." },
  404: { name: "NotFound", description: "The resource does not exist within the scope of this key." },
  409: {
    name: "Conflict",
    description: "The resource already exists or is in use. Get the resource and check its state.",
  },
  429: { name: "RateLimited", description: "The limit is used up. Wait as long as `Retry-After` specifies." },
  500: {
    name: "InternalError",
    description: "An unexpected error. Check the current state before you repeat a change.",
  },
  503: { name: "RateLimitUnavailable", description: "The limiter can't be reached. Try again later." },
};

const messages: Readonly<Record<string, string>> = {
  MISSING_API_KEY: "send the header Authorization: Bearer <API key>",
  INVALID_API_KEY: "the API key is not valid",
  API_KEY_EXPIRED: "the API key has expired; request a new one",
  API_VERSION_NOT_ALLOWED: "this key is not valid for distributor API v2",
  MISSING_PERMISSION: "this key does not have the organizations:write permission",
  VALIDATION_ERROR: "name must not be empty",
  INVALID_ID: "organizationId must be 24 hexadecimal digits",
  INVALID_DATE_RANGE: "from must be a date like 2026-01-31",
  DATE_RANGE_TOO_LARGE: "the range of 100 days is too long; use at most 92 days",
  NOT_FOUND: "the resource does not exist",
  RATE_LIMITED: "the limit of 60 requests is used up; wait 12 s",
  RATE_LIMIT_UNAVAILABLE: "the rate limiter can't be reached; try again later",
  INTERNAL_ERROR: "something went wrong",
  DUPLICATE_EXTERNAL_PARTNER_ID: "the external id elbe is already in use",
  DUPLICATE_EXTERNAL_CUSTOMER_ID: "the external id optik-lange is already in use",
  PARTNER_NOT_FOUND: "the partner elbe is not active",
  PARTNER_HAS_ORGANIZATIONS: "the partner elbe still has organizations; delete them first",
  INVALID_PLAN: "plan must be one of starter, business, enterprise",
  PLAN_NOT_FOUND: "no customer of the partner has a plan",
  ORG_CREATION_FAILED: "the partner's organization could not be created",
  DUPLICATE_EXTERNAL_ORGANIZATION_ID: "an organization with the external id elbe already exists",
  ORGANIZATION_HAS_CHILDREN: "the MSP elbe still has customers; delete them first",
  LICENSE_NOT_AVAILABLE: "the license elbe-001 is assigned",
  LICENSE_NOT_FOUND: "the MSP has no license elbe-001",
  SUBSCRIPTION_REQUIRED: "the organization does not have the outbound_calls feature",
  ASSISTANT_NOT_FOUND: "no assistant has the number +493221100001",
  INVALID_PHONE_FORMAT: "targetPhoneNumber must be a phone number like +4915112345678",
  INVALID_TARGET_NUMBER: "targetPhoneNumber must be a German number: only +49 is supported",
  RATE_LIMIT_EXCEEDED: "the limit of 60 requests is used up; wait 12 s",
  CALL_FAILED: "the call could not be placed",
};

interface FlatErrorFormat {
  codeName: "errorCode" | "code";
  assumed: string;
  /** Header names by status. A header marked with `?` is not in every response. */
  headers: Readonly<Record<number, readonly (HeaderName | `${HeaderName}?`)[]>>;
}

const afterLimiter = ["Retry-After", "X-RateLimit-Reset"] as const;
const sometimes = ["Retry-After?", "X-RateLimit-Reset?"] as const;
const distributor = {
  codeName: "errorCode",
  headers: {
    400: afterLimiter,
    401: ["WWW-Authenticate"],
    403: sometimes,
    404: afterLimiter,
    409: afterLimiter,
    429: afterLimiter,
    500: sometimes,
  },
} as const;

const flatErrorFormats: Readonly<Record<Exclude<ApiName, "public">, FlatErrorFormat>> = {
  "distributor-v1": { ...distributor, assumed: "D-v2-order" },
  "distributor-v2": { ...distributor, assumed: "D-v2-envelope" },
  legacy: {
    codeName: "code",
    assumed: "D-legacy-error",
    headers: { 401: ["WWW-Authenticate"], 429: ["Retry-After?"] },
  },
};

/** Flat error bodies contain the code and the message at the top level. */
export function flatErrors(api: Exclude<ApiName, "public">): Errors {
  const { codeName, assumed, headers: sent } = flatErrorFormats[api];
  const codes: Readonly<Record<string, ErrorCode>> = errorCodes[api];
  const statuses = [...new Set(Object.values(codes).map(({ status }) => status))];
  return {
    schema: {
      type: "object",
      required: ["status", codeName, "message"],
      properties: {
        status: { type: "string", const: "error" },
        [codeName]: { type: "string", enum: Object.keys(codes), description: "Error code" },
        message: { type: "string", description: "For display only; the text may change" },
      },
      // The documents specify flat error bodies only for v1 (v1.errors.flat).
      ...(api === "distributor-v1" ? {} : { "x-assumed": assumed }),
    },
    nameOf: (_, status) => (statuses.includes(status) ? errorResponses[status]?.name : undefined),
    responses: () =>
      Object.fromEntries(
        statuses.flatMap((status) => {
          const response = errorResponses[status];
          if (response === undefined) return [];
          const own = Object.keys(codes).filter((code) => codes[code]?.status === status);
          return [[response.name, buildResponse(response.description, own, codeName, sent[status] ?? [])]];
        }),
      ),
  };
}

function buildResponse(
  description: string,
  codes: readonly string[],
  codeName: string,
  sent: readonly string[],
): ResponseObject {
  const named = [...sent, "X-Emulator-Rule"].map((entry) => {
    const name = entry.replace("?", "");
    const header = Object.entries(headers).find(([known]) => known === name)?.[1];
    const isOptional = entry.endsWith("?") && header !== undefined;
    return [name, isOptional ? { ...header, required: false } : { $ref: `#/components/headers/${name}` }];
  });
  return {
    description,
    headers: Object.fromEntries(named),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(
          codes.map((code) => {
            const message = messages[code] ?? code;
            return [code, { summary: message, value: { status: "error", [codeName]: code, message } }];
          }),
        ),
      },
    },
  };
}
