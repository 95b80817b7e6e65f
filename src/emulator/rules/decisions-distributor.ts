import { done } from "./evidence.js";
import type { Rules } from "./rule.js";

/** Decisions about the distributor APIs and the legacy interface, where the documents are silent. */
export const distributorDecisions: Rules = {
  "D-v2-envelope": {
    text: "v2 returns `{status: \"success\", data}`, lists with meta.hasMore and meta.nextCursor, and errors in v1's flat body with v1's codes and four additional ones.",
    seen: (seen) => seen.api === "distributor-v2",
  },
  "D-v2-order": {
    text: "Checks come in this order: key (401), version (403, without limit headers), limiter (429 or 503), permission (403), validation (400), existence (404), state (409). A malformed id is INVALID_ID in path or query, and VALIDATION_ERROR in a body. Creates answer 201.",
    refuses: true,
  },
  "D-v2-org": {
    text: "An organization shows id, type, name, parent, external ids, status (active or blocked), blockedReason and its times. External ids have 1 to 128 of A-Z a-z 0-9 . _ : - and are unique within the distributor.",
    refuses: true,
    seen: done(["orgs.create", "orgs.list"]),
  },
  "D-v2-create": {
    text: "A create is all or nothing, and judges the external id before the license. A parent that is not an MSP returns NOT_FOUND, a license that the parent does not own LICENSE_NOT_FOUND, an assigned one LICENSE_NOT_AVAILABLE.",
    refuses: true,
  },
  "D-v2-licenses": {
    text: "PATCH of an MSP's licenses creates unknown ids as available; disabled blocks the holder, and available brings it back. The response lists all licenses of the MSP.",
    refuses: true,
    seen: done("licenses.upsert"),
  },
  "D-v2-reassign": {
    text: "An organization is given an available license of the same MSP, else 409 LICENSE_NOT_AVAILABLE or 404 LICENSE_NOT_FOUND. One that was blocked for its license is active again.",
    refuses: true,
    refusedAs: ["D-v2-org"],
    seen: done("licenses.reassign"),
  },
  "D-v2-list": {
    text: "Organizations are filtered by type, parentOrganizationId, externalOrganizationId and status; limit is 50 unless given, at most 200.",
    refuses: true,
    seen: done("orgs.list"),
  },
  "D-v2-tree": {
    text: "The tree is an array of MSPs in order of creation, each with its customers.",
    seen: done("orgs.tree"),
  },
  "D-v2-delete": {
    text: "DELETE /organizations/{id} returns 200 and an empty object. It frees the license, an MSP's licenses go with it, and its API keys stop working.",
    seen: done("orgs.delete"),
  },
  "D-v2-usage": {
    text: "Usage takes from and to (dates, both counted in, at most 92 days) and shows a record per organization and day with calls.",
    refuses: true,
    refusedAs: ["v1.errors.range"],
    seen: done("usage.list"),
  },
  "D-v2-billing": {
    text: "The billing summary is about a month (the current one unless given). An MSP's totals are its own and its customers'.",
    refuses: true,
    seen: done("billing.get"),
  },
  "D-usage-order": {
    text: "Usage records come by day, those of one day in the order of their organizations.",
    seen: done(["usage.list", "partners.usage"]),
  },
  "D-billing-self": {
    text: "A billing summary names the organization itself first, then its customers in the order of creation. A customer's summary has no licenses, since it owns none.",
    seen: done("billing.get"),
  },
  "D-v2-permissions":
    "v2's permissions are organizations:read, :write and :delete, licenses:write, usage:read and billing:read.",
  "D-link":
    "An organization made here is a whole one of the Public API: its keys, assistants and calls are real, and blocking it blocks its keys.",
  "D-v1-paths": {
    text: "v1 has /partners, /partners/{id}/customers, /customers/{id} and its /plan, /usage and /partners/{id}/billing, by external ids.",
    seen: (seen) => seen.api === "distributor-v1" && seen.operation !== undefined,
  },
  "D-v1-partner": {
    text: "Creating a partner makes its internal MSP organization. A partner can be deleted after all its organizations were deleted, the internal one through v2; without them it is no longer active.",
    refuses: true,
    seen: done(["partners.create", "partners.get", "partners.delete"]),
  },
  "D-v1-shared":
    "v1 and v2 show the same organizations: every MSP is a partner, its customers are customers, and a name changed in v1 is changed in v2. A partner made in v1 outlives its MSP, without an organizationId, until an MSP of its external id comes. A blocked MSP is a partner that still counts as active, and v1's usage shows an MSP's own calls without a customer.",
  "D-v1-link": {
    text: "An organization made through v1 has the external partner or customer id as its externalOrganizationId, and no license. A clash with any organization of the distributor is v1's DUPLICATE.",
    seen: done(["partners.create", "customers.create"]),
  },
  "D-v1-customer": {
    text: "A customer shows its external ids, organizationId, name, plan, status and createdAt.",
    refuses: true,
    seen: done(["customers.create", "customers.get"]),
  },
  "D-v1-plan": {
    text: "Plans are starter, business and enterprise. Billing a partner without a customer on a plan returns 404 PLAN_NOT_FOUND.",
    refuses: true,
    seen: done("customers.plan"),
  },
  "D-v1-id": "A path id that breaks the form of external ids returns 400 INVALID_ID. /health needs no key.",
  "D-v1-usage": {
    text: "v1's success envelope is v2's. Usage has a record per customer and day; billing lists the customers that have a plan.",
    seen: done(["partners.usage", "partners.billing"]),
  },
  "D-v1-permissions":
    "v1's permissions are read, write and delete of partners and of customers, usage:read and billing:read.",
  "D-legacy-error": {
    text: "A legacy error is status error, code and message.",
    seen: (seen) => seen.api === "legacy" && seen.status >= 400,
  },
  "D-legacy-limit": {
    text: "The legacy interface allows 60 requests a minute and key. A cooldown returns RATE_LIMIT_EXCEEDED with Retry-After, a blocked target CALL_FAILED, a blocked organization or missing feature 402. Roles are not asked for.",
    refuses: true,
  },
  "D-legacy-health": {
    text: "Health returns status ok, version and timestamp, to a valid key only.",
    seen: done("legacy.health"),
  },
  "D-legacy-words": "Words are separated by white space; more than 1,000 words answer 400.",
};
