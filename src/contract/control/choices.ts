/** Faults that strike a request on its way; the others concern a single thing and are asked for by its rule. */
export const requestFaultKinds = [
  "error_before",
  "error_after",
  "drop_before",
  "drop_after",
  "truncate",
  "garbage",
  "delay",
] as const;
const singleKinds = [
  "limiter_down",
  "index_failure",
  "index_queue_down",
  "recording_erase_failure",
  "webhook_race",
  "org_creation_failure",
  "call_failure",
] as const;

export const faultKinds = [...requestFaultKinds, ...singleKinds] as const;

export const keyKinds = ["public", "legacy", "oauth", "distributor"] as const;

/** D-roles */
export const roles = ["admin", "editor", "caller", "viewer"] as const;

/** D-features: what can be switched per organization. */
export const features = [
  "public_api",
  "outbound_calls",
  "knowledge",
  "statistics",
  "mcp",
  "prompt_rating",
] as const;
