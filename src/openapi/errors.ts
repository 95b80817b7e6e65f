import { publicErrors } from "../contract/errors.js";
import type { JsonSchema } from "../contract/json-schema.js";
import { headers } from "./headers.js";
import type { Errors, ResponseObject } from "./types.js";

const errorSchema: JsonSchema = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["code", "message", "details"],
      properties: {
        code: { type: "string", enum: Object.keys(publicErrors), description: "Error code" },
        message: { type: "string", description: "For display only; the text may change" },
        details: {
          type: "array",
          description: "Problems with an invalid request; empty for other errors",
          "x-assumed": "D-error",
          items: {
            type: "object",
            required: ["path", "message"],
            properties: {
              path: {
                type: "array",
                description: "Field names and list indices, outermost first",
                items: { type: ["string", "integer"] },
              },
              message: { type: "string" },
            },
          },
        },
      },
    },
  },
};

interface ErrorText {
  name: string;
  description: string;
  examples: Readonly<Record<string, { code: keyof typeof publicErrors; message: string; path?: string[] }>>;
  headers: readonly (keyof typeof headers)[];
  assumed?: string;
}

const afterLimiter = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"] as const;

const errors: Readonly<Record<number, ErrorText>> = {
  400: {
    name: "ValidationFailed",
    description: "The request is invalid; `details` lists the problems.",
    examples: {
      validation_failed: {
        code: "validation_failed",
        message: "first_name must not be empty",
        path: ["first_name"],
      },
    },
    headers: afterLimiter,
  },
  401: {
    name: "Unauthorized",
    description: "The API key is missing or invalid.",
    examples: { unauthorized: { code: "unauthorized", message: "the API key is not valid" } },
    headers: ["WWW-Authenticate"],
  },
  402: {
    name: "SubscriptionRequired",
    description: "The organization does not have a required feature.",
    examples: {
      subscription_required: {
        code: "subscription_required",
        message: "the organization does not have the public_api feature",
      },
    },
    headers: [],
  },
  403: {
    name: "Forbidden",
    description: "The key's role does not have the required permission.",
    examples: {
      forbidden: {
        code: "forbidden",
        message: "this key's role does not have the contacts:write permission",
      },
    },
    headers: afterLimiter,
  },
  404: {
    name: "NotFound",
    description: "The resource does not exist or belongs to another organization.",
    examples: { not_found: { code: "not_found", message: "the contact does not exist" } },
    headers: afterLimiter,
  },
  409: {
    name: "Conflict",
    description: "The resource is in use, or the operation conflicts with the current state.",
    examples: { conflict: { code: "conflict", message: "the group is assigned to an assistant" } },
    headers: afterLimiter,
  },
  416: {
    name: "RangeNotSatisfiable",
    description: "The requested range starts after the end of the recording.",
    examples: {
      validation_failed: {
        code: "validation_failed",
        message: "Range starts after the end of the file (4211 bytes)",
        path: ["Range"],
      },
    },
    headers: ["Content-Range", "Accept-Ranges", ...afterLimiter],
    assumed: "D-recording",
  },
  429: {
    name: "RateLimitExceeded",
    description:
      "A bucket is used up (the response has `Retry-After`), or the limiter can't be reached (the response has no rate-limit headers).",
    examples: {
      exhausted: {
        code: "rate_limit_exceeded",
        message: "the limit of 200 requests is used up; wait 12 s",
      },
      limiter_down: {
        code: "rate_limit_exceeded",
        message: "the rate limiter can't be reached; try again later",
      },
    },
    headers: ["Retry-After", ...afterLimiter],
  },
  500: {
    name: "InternalError",
    description:
      "An unexpected error; the operation did not complete. Check the current state before you repeat a change.",
    examples: { internal_error: { code: "internal_error", message: "something went wrong" } },
    headers: afterLimiter,
  },
};

/** These errors override `errors`. */
const ownErrors: Readonly<Record<string, ErrorText>> = {
  "calls.create 409": {
    name: "TargetBlocked",
    description: "The destination is blocked for this assistant.",
    examples: {
      outbound_target_blocked: {
        code: "outbound_target_blocked",
        message: "+4915112345678 is blocked for this assistant",
      },
    },
    headers: afterLimiter,
  },
  "calls.create 429": {
    name: "CallLimitExceeded",
    description:
      "The bucket is used up (the response has `Retry-After`), the assistant made a call less than 60 seconds ago (no `Retry-After`), or the limiter can't be reached (no rate-limit headers).",
    examples: {
      cooldown: {
        code: "rate_limit_exceeded",
        message: "the assistant made a call less than 60 seconds ago",
      },
      exhausted: {
        code: "rate_limit_exceeded",
        message: "the limit of 60 requests is used up; wait 1800 s",
      },
    },
    headers: ["Retry-After", ...afterLimiter],
  },
};

/** Headers that only some responses with this status contain. */
const sometimes: Readonly<Record<number, readonly string[]>> = {
  429: ["Retry-After", ...afterLimiter],
  500: afterLimiter,
};

export const publicErrorResponses: Errors = {
  schema: errorSchema,
  nameOf: (operation, status) => (ownErrors[`${operation} ${status}`] ?? errors[status])?.name,
  responses: errorResponses,
};

function errorResponses(): Record<string, ResponseObject> {
  const all = [
    ...Object.entries(errors),
    ...Object.entries(ownErrors).map(([key, error]) => [key.split(" ")[1] ?? "", error] as const),
  ];
  return Object.fromEntries(all.map(([status, error]) => [error.name, buildResponse(Number(status), error)]));
}

function buildResponse(status: number, error: ErrorText): ResponseObject {
  const entries = Object.entries(error.examples).map(([name, { code, message, path }]) => {
    const details = path ? [{ path, message: message.slice(path.join(".").length + 1) }] : [];
    return [name, { summary: message, value: { error: { code, message, details } } }] as const;
  });
  return {
    description: error.description,
    ...(error.assumed ? { "x-assumed": error.assumed } : {}),
    headers: Object.fromEntries(
      [...error.headers, "X-Emulator-Rule" as const].map((name) => [
        name,
        sometimes[status]?.includes(name)
          ? { ...headers[name], required: false }
          : { $ref: `#/components/headers/${name}` },
      ]),
    ),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(entries),
      },
    },
  };
}
