import type { RuleTexts } from "./rule.js";

/** The documents' rules about the legacy outbound-call interface. */
export const legacyRules: RuleTexts = {
  "legacy.call":
    "POST /api/v1/outbound/call answers status success, and as data callId, assistantPhoneNumber, targetPhoneNumber and timestamp.",
  "legacy.assistant": "A number that no assistant has answers 400 ASSISTANT_NOT_FOUND.",
  "legacy.phone-format": "A phone number of the wrong form answers 400 INVALID_PHONE_FORMAT.",
  "legacy.german": "A target outside Germany (+49) answers 400 INVALID_TARGET_NUMBER.",
  "legacy.details": "Details of more than 1000 words answer 400 VALIDATION_ERROR.",
  "legacy.health":
    "GET /api/v1/health needs the Authorization header and answers status, version and timestamp.",
  "legacy.auth":
    "A missing or malformed Authorization header answers 401 MISSING_API_KEY, an invalid or revoked key 401 INVALID_API_KEY.",
  "legacy.limit": "Too many requests answer 429 RATE_LIMIT_EXCEEDED with Retry-After.",
  "legacy.failed": "A call that could not be placed answers 500 CALL_FAILED.",
  "legacy.keys":
    "Legacy keys have names and are listed with prefix, status and creator. They can be revoked for a while, or deleted.",
};
