import { done } from "./evidence.js";
import type { Rules } from "./rule.js";

export const legacyRules: Rules = {
  "legacy.call": {
    text: "POST /api/v1/outbound/call returns the status `success` and, in `data`, callId, assistantPhoneNumber, targetPhoneNumber and timestamp.",
    seen: done("legacy.call"),
  },
  "legacy.assistant": {
    text: "Calling from a number that belongs to no assistant returns 400 ASSISTANT_NOT_FOUND.",
    refuses: true,
  },
  "legacy.phone-format": {
    text: "An invalid phone number returns 400 INVALID_PHONE_FORMAT.",
    refuses: true,
  },
  "legacy.german": {
    text: "Calling a number outside Germany (+49) returns 400 INVALID_TARGET_NUMBER.",
    refuses: true,
  },
  "legacy.details": {
    text: "Sending more than 1000 words in `details` returns 400 VALIDATION_ERROR.",
    refuses: true,
  },
  "legacy.health": {
    text: "GET /api/v1/health requires the Authorization header and returns status, version and timestamp.",
    seen: done("legacy.health"),
  },
  "legacy.auth": {
    text: "A missing or malformed Authorization header returns 401 MISSING_API_KEY; an invalid or revoked key returns 401 INVALID_API_KEY.",
    refuses: true,
  },
  "legacy.limit": {
    text: "If the limit is used up, the response is 429 RATE_LIMIT_EXCEEDED with Retry-After.",
    refuses: true,
  },
  "legacy.failed": { text: "If a call can't be placed, the response is 500 CALL_FAILED.", refuses: true },
  "legacy.keys": {
    text: "Legacy keys have names and are listed with prefix, status and creator. They can be revoked, reactivated and deleted.",
    refusedAs: ["legacy.auth"],
  },
};
