import type { ApiName } from "../contract/apis.js";
import { introduction } from "./introduction.js";

/** The title, summary and description of an API's document. */
interface ApiDescription {
  readonly title: string;
  readonly summary: string;
  /** Markdown. */
  readonly introduction: string;
  /** The description of its API key. */
  readonly keyText: string;
}

const made =
  "This document is generated from the contract with which voxctl's emulator checks every request. If the service's documents are silent, a decision fills the gap: such content is marked `x-assumed` with the decision's id, and a real deployment may differ.";
const distributorKeys =
  "**Keys.** Send `Authorization: Bearer <API key>` with every request. A distributor's key is valid for certain versions of this API and has a fixed set of permissions; `x-permission` lists the permission of an operation. It expires after 365 days unless agreed otherwise.";
const distributorResponses =
  '**Responses.** A success is `{"status": "success", "data": …}`, an error `{"status": "error", "errorCode", "message"}`. Use `errorCode`, never `message`. There are no idempotency keys: check the current state before you repeat a change.';
const distributorLimits =
  "**Limits.** All requests of a key count together: by default 60 per minute. `Retry-After` is the remaining time of the window in seconds, even before the limit is reached; `X-RateLimit-Reset` is its end as a time.";
const distributorLists =
  "**Lists.** Send `limit`. While `meta.hasMore` is true, send `meta.nextCursor` as `cursor`. A cursor is opaque. There are no events: poll.";

export const apiDescriptions: Readonly<Record<ApiName, ApiDescription>> = {
  public: {
    title: "Voice assistant service: Public API",
    summary: "Assistants, their knowledge, contacts and calls.",
    introduction,
    keyText: "An API key of the organization",
  },
  "distributor-v1": {
    title: "Voice assistant service: Distributor API v1",
    summary: "Partners, their customers and plans, usage and billing.",
    introduction: [
      "The partner-based API for distributors, kept for existing integrations. New integrations use version 2.",
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
      "The API for marketplaces and distributors: organizations of type `msp` own licenses, and their organizations of type `customer` hold one each. A license is `available`, `assigned` to exactly one organization, or `disabled`, which blocks the organization with it.",
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
      "An older API in camelCase at the host's root: triggers an outbound call by the assistant's number, and reports the service's health. New integrations use the Public API.",
      made,
      "**Keys.** Send `Authorization: Bearer <API key>` with every request: a key of the organization.",
      '**Responses.** A success is `{"status": "success", "data": …}`, for the health check without an envelope; an error `{"status": "error", "code", "message"}`.',
    ].join("\n\n"),
    keyText: "A key of the organization, created in the dashboard",
  },
};
