import { done } from "./evidence.js";
import type { Rules } from "./rule.js";

/** Decisions about the distributor APIs and the legacy API, where the documents are silent. */
export const distributorDecisions: Rules = {
  "D-v2-envelope": {
    text: "v2 returns `{status: \"success\", data}`, lists with meta.hasMore and meta.nextCursor, and errors in v1's flat body with v1's codes and four more.",
    seen: (seen) => seen.api === "distributor-v2",
  },
  "D-v2-order": {
    text: "Checks come in this order: key (401), version (403, without limit headers), limiter (429 or 503), permission (403), validation (400), existence (404), state (409). A malformed id is INVALID_ID in path or query, and VALIDATION_ERROR in a body. Creates return 201.",
    refuses: true,
  },
  "D-v2-org": {
    text: "An organization has id, type, name, parent, external ids, status (active or blocked), blockedReason and its times. External ids have 1 to 128 characters of A-Z a-z 0-9 . _ : - and are unique within the distributor.",
    refuses: true,
    seen: done(["orgs.create", "orgs.list"]),
  },
  "D-v2-create": {
    text: "A create is atomic, and checks the external id before the license. A parent that is not an MSP returns NOT_FOUND, a license that the parent does not own LICENSE_NOT_FOUND, an assigned one LICENSE_NOT_AVAILABLE.",
    refuses: true,
  },
  "D-v2-licenses": {
    text: "PATCH of an MSP's licenses creates unknown ids as available; disabled blocks the holder, and available unblocks it. The response lists all licenses of the MSP.",
    refuses: true,
    seen: done("licenses.upsert"),
  },
  "D-v2-reassign": {
    text: "An organization can get only an available license of the same MSP, else 409 LICENSE_NOT_AVAILABLE or 404 LICENSE_NOT_FOUND. An organization that was blocked because of its license becomes active again.",
    refuses: true,
    refusedAs: ["D-v2-org"],
    seen: done("licenses.reassign"),
  },
  "D-v2-list": {
    text: "Organizations are filtered by type, parentOrganizationId, externalOrganizationId and status; limit is from 1 to 200 (default: 50).",
    refuses: true,
    seen: done("orgs.list"),
  },
  "D-v2-tree": {
    text: "The tree is an array of MSPs in the order of creation, each with its customers.",
    seen: done("orgs.tree"),
  },
  "D-v2-delete": {
    text: "DELETE /organizations/{id} returns 200 and an empty object. It frees the license, deletes an MSP's licenses, and its API keys stop working.",
    seen: done("orgs.delete"),
  },
  "D-v2-usage": {
    text: "Usage accepts from and to (inclusive dates, at most 92 days) and returns a record per organization and day with calls.",
    refuses: true,
    refusedAs: ["v1.errors.range"],
    seen: done("usage.list"),
  },
  "D-v2-billing": {
    text: "The billing summary covers one month (default: the current month). An MSP's totals include its customers.",
    refuses: true,
    seen: done("billing.get"),
  },
  "D-usage-order": {
    text: "Usage records are sorted by day, then by organization.",
    seen: done(["usage.list", "partners.usage"]),
  },
  "D-billing-self": {
    text: "A billing summary lists the organization itself first, then its customers in the order of creation. A customer's summary has no licenses, since it owns none.",
    seen: done("billing.get"),
  },
  "D-v2-permissions":
    "v2's permissions are organizations:read, :write and :delete, licenses:write, usage:read and billing:read.",
  "D-link":
    "An organization created here is a complete organization of the Public API with keys, assistants and calls; blocking it blocks its keys.",
  "D-v1-paths": {
    text: "v1 has /partners, /partners/{id}/customers, /customers/{id} with /plan and /usage, and /partners/{id}/billing, by external ids.",
    seen: (seen) => seen.api === "distributor-v1" && seen.operation !== undefined,
  },
  "D-v1-partner": {
    text: "Creating a partner creates its internal MSP organization. A partner can be deleted when all its organizations are deleted, the internal one through v2; without organizations it is not active.",
    refuses: true,
    seen: done(["partners.create", "partners.get", "partners.delete"]),
  },
  "D-v1-shared":
    "v1 and v2 show the same organizations: every MSP is a partner, its customers are customers, and a name changed in v1 also changes in v2. A partner created in v1 outlives its MSP, without an organizationId, until an MSP with its external id is created. A blocked MSP is a partner that still counts as active, and v1's usage shows an MSP's own calls without a customer.",
  "D-v1-link": {
    text: "An organization created through v1 has the external partner or customer id as its externalOrganizationId, and no license. A conflict with any organization of the distributor returns v1's DUPLICATE error.",
    seen: done(["partners.create", "customers.create"]),
  },
  "D-v1-customer": {
    text: "A customer has its external ids, organizationId, name, plan, status and createdAt.",
    refuses: true,
    seen: done(["customers.create", "customers.get"]),
  },
  "D-v1-plan": {
    text: "Plans are starter, business and enterprise. Billing of a partner without a customer on a plan returns 404 PLAN_NOT_FOUND.",
    refuses: true,
    seen: done("customers.plan"),
  },
  "D-v1-id": "A path id that is not a valid external id returns 400 INVALID_ID. /health needs no key.",
  "D-v1-usage": {
    text: "v1 has v2's success envelope. Usage has a record per customer and day; billing lists the customers that have a plan.",
    seen: done(["partners.usage", "partners.billing"]),
  },
  "D-v1-permissions":
    "v1's permissions are read, write and delete for partners and for customers, usage:read and billing:read.",
  "D-legacy-error": {
    text: "A legacy error has status error, code and message.",
    seen: (seen) => seen.api === "legacy" && seen.status >= 400,
  },
  "D-legacy-limit": {
    text: "The legacy API allows 60 requests per minute and key. A cooldown returns RATE_LIMIT_EXCEEDED with Retry-After, a blocked target CALL_FAILED, a blocked organization or missing feature 402. Roles are not checked.",
    refuses: true,
  },
  "D-legacy-health": {
    text: "Health returns status ok, version and timestamp; it requires a valid key.",
    seen: done("legacy.health"),
  },
  "D-legacy-words": "Words are separated by white space; more than 1,000 words return 400.",
};
