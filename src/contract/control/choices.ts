/** Faults that can affect any request. Every other fault affects one part of the service. */
export const requestFaultTypes = [
  "error_before",
  "error_after",
  "drop_before",
  "drop_after",
  "truncate",
  "garbage",
  "delay",
] as const;
const resourceFaultTypes = [
  "limiter_down",
  "index_failure",
  "index_queue_down",
  "recording_erase_failure",
  "webhook_race",
  "org_creation_failure",
  "call_failure",
] as const;

/** Operations that a fault can affect, for each fault that affects only some operations (D-fault-late). */
export const faultOperations: Readonly<Partial<Record<(typeof faultTypes)[number], readonly string[]>>> = {
  index_failure: ["knowledge.create", "knowledge.update"],
  index_queue_down: ["knowledge.create", "knowledge.update"],
  recording_erase_failure: ["calls.recording.delete"],
  webhook_race: ["assistants.update"],
  org_creation_failure: ["partners.create"],
  call_failure: ["legacy.call"],
};

export const faultTypes = [...requestFaultTypes, ...resourceFaultTypes] as const;

export const keyTypes = ["public", "legacy", "oauth", "distributor"] as const;

/** D-roles */
export const roles = ["admin", "editor", "caller", "viewer"] as const;

/** Features that can be turned on and off for each organization (D-features). */
export const features = [
  "public_api",
  "outbound_calls",
  "knowledge",
  "statistics",
  "mcp",
  "prompt_rating",
] as const;
