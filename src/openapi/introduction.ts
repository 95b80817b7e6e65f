/** The introduction of the document. Markdown. */
export const introduction = [
  "The Public API of a voice-assistant service: assistants, knowledge, contacts, calls with recordings, and statistics. This document is generated from the contract with which voxctl's emulator checks every request.",
  "If the service's documents are silent, a decision fills the gap: such content is marked `x-assumed` with the decision's id, and a real deployment may differ.",
  "**Keys.** Send `Authorization: Bearer <API key>` with every request. A key belongs to one organization and has one role; `x-permission` lists the permission that an operation requires, `x-feature` the features of the organization.",
  '**Responses.** A success is `{"data": …}`, an error `{"error": {"code", "message", "details"}}`. Use `code`, never `message`. Times are ISO 8601 in UTC.',
  "**Lists.** Send `limit`. While `meta.has_more` is true, send `meta.next_cursor` as `cursor`. A cursor is opaque.",
  "**Limits.** Requests are counted per key, in the bucket in `x-bucket`. `X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset` show its state; `Retry-After` of a 429 is the time to wait in seconds. After a 429 without that header, wait at least 60 seconds, and longer each time.",
].join("\n\n");
