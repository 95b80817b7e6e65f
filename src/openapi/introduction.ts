export const introduction = [
  "The Public API of a voice-assistant service: assistants, knowledge, contacts, calls with recordings, and statistics. This document is generated from the contract with which voxctl's emulator checks every request.",
  "Anything that the service's documents don't specify is a decision, and is marked `x-assumed` with the decision's ID. A real deployment may differ.",
  "**Keys.** Send `Authorization: Bearer <API key>` with every request. A key belongs to one organization and has one role; `x-permission` shows the permission that an operation requires, and `x-feature` shows the features that the organization needs.",
  '**Responses.** A successful response is `{"data": …}`; an error is `{"error": {"code", "message", "details"}}`. Base your error handling on `code`, never on `message`. Times are ISO 8601 in UTC.',
  "**Lists.** Send `limit`. While `meta.has_more` is true, send `meta.next_cursor` as `cursor`. A cursor is opaque.",
  "**Limits.** Requests are counted per key in the bucket that `x-bucket` names. `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` show the state of the bucket. The `Retry-After` header of a 429 is the time to wait in seconds. After a 429 without this header, wait at least 60 seconds, and longer each time.",
].join("\n\n");
