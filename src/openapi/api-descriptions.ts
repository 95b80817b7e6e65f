import type { ApiName } from "../contract/apis.js";
import { introduction } from "./introduction.js";

interface ApiDescription {
  readonly title: string;
  readonly summary: string;
  /** Markdown. */
  readonly introduction: string;
  readonly keyText: string;
}

const made =
  "This document is generated from the contract with which voxctl's emulator checks every request. Anything that the service's documents don't specify is a decision, and is marked `x-assumed` with the decision's ID. A real deployment may differ.";
const distributorKeys =
  "**Keys.** Send `Authorization: Bearer <API key>` with every request. A distributor's key is valid for certain versions of this API and has a fixed set of permissions; `x-permission` shows the permission that an operation requires. By default, a key expires after 365 days.";
const distributorResponses =
  '**Responses.** A successful response is `{"status": "success", "data": …}`; an error is `{"status": "error", "errorCode", "message"}`. Base your error handling on `errorCode`, never on `message`. There are no idempotency keys, so check the current state before you repeat a change.';
const distributorLimits =
  "**Limits.** All requests with a key share one limit, by default 60 per minute. `Retry-After` is the remaining time of the window in seconds, even before the limit is reached; `X-RateLimit-Reset` is the time at which the window ends.";
const distributorLists =
  "**Lists.** Send `limit`. While `meta.hasMore` is true, send `meta.nextCursor` as `cursor`. A cursor is opaque. There are no events, so poll for changes.";

export const apiDescriptions: Readonly<Record<ApiName, ApiDescription>> = {
  public: {
    title: "Voice assistant service: Public API",
    summary: "Assistants, their knowledge, contacts and calls.",
    introduction,
    keyText: "The organization's API key",
  },
  "distributor-v1": {
    title: "Voice assistant service: Distributor API v1",
    summary: "Partners, their customers and plans, usage and billing.",
    introduction: [
      "The partner-based API for distributors, kept for existing integrations. For new integrations, use version 2.",
      made,
      distributorKeys,
      distributorResponses,
      distributorLists,
      distributorLimits,
    ].join("\n\n"),
    keyText: "A distributor key for version v1",
  },
  "distributor-v2": {
    title: "Voice assistant service: Distributor API v2",
    summary: "MSPs, their customers and licenses, usage and billing.",
    introduction: [
      "The API for marketplaces and distributors: an organization of type `msp` owns licenses, and each of its organizations of type `customer` has one license. A license is `available`, `assigned` to exactly one organization, or `disabled`, which blocks the organization that has it.",
      made,
      distributorKeys,
      distributorResponses,
      distributorLists,
      distributorLimits,
    ].join("\n\n"),
    keyText: "A distributor key for version v2",
  },
  legacy: {
    title: "Voice assistant service: legacy outbound calls",
    summary: "Trigger outbound calls and check the health of the service.",
    introduction: [
      "An older API at the host's root, with field names in camelCase. It triggers outbound calls for an assistant, which is identified by its phone number, and reports the service's health. For new integrations, use the Public API.",
      made,
      "**Keys.** Send `Authorization: Bearer <API key>` with every request, using a key of the organization.",
      '**Responses.** A successful response is `{"status": "success", "data": …}`, but the health check has no envelope. An error is `{"status": "error", "code", "message"}`.',
    ].join("\n\n"),
    keyText: "An organization's key, created in the dashboard",
  },
};
