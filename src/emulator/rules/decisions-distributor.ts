import { done } from "./evidence.js";
import type { Rules } from "./rule.js";

export const distributorDecisions: Rules = {
  "D-v2-envelope": {
    text: 'v2 returns `{status: "success", data}`; lists also have meta.hasMore and meta.nextCursor. Errors have the same flat body as in v1, with v1\'s codes and four additional codes.',
    seen: (seen) => seen.api === "distributor-v2",
  },
  "D-v2-order": {
    text: "Checks come in this order: key (401), version (403, without limit headers), limiter (429 or 503), permission (403), validation (400), existence (404), state (409). A malformed ID returns INVALID_ID if it is in the path or query, and VALIDATION_ERROR if it is in a body. Successful creates return 201.",
    refuses: true,
  },
  "D-v2-org": {
    text: "An organization has an ID, a type, a name, a parent, external IDs, a status (`active` or `blocked`), a blockedReason, and the times of its creation and last update. External IDs have 1 to 128 characters of A-Z a-z 0-9 . _ : - and are unique within the distributor.",
    refuses: true,
    seen: done(["orgs.create", "orgs.list"]),
  },
  "D-v2-create": {
    text: "Creating an organization is atomic. The external ID is checked before the license. Using a parent that is not an MSP returns NOT_FOUND; using a license that the parent doesn't own returns LICENSE_NOT_FOUND; using an assigned license returns LICENSE_NOT_AVAILABLE.",
    refuses: true,
  },
  "D-v2-licenses": {
    text: "A PATCH of an MSP's licenses creates an `available` license for each unknown ID. Setting a license to `disabled` blocks the organization that has the license. Setting the license to `available` unblocks this organization. The response lists all of the MSP's licenses.",
    refuses: true,
    seen: done("licenses.upsert"),
  },
  "D-v2-reassign": {
    text: "An organization can be assigned only an `available` license of the same MSP; assigning any other license returns 409 LICENSE_NOT_AVAILABLE or 404 LICENSE_NOT_FOUND. Assigning a different license reactivates an organization that was blocked because of its previous license.",
    refuses: true,
    refusedAs: ["D-v2-org"],
    seen: done("licenses.reassign"),
  },
  "D-v2-list": {
    text: "Organizations can be filtered by type, parentOrganizationId, externalOrganizationId and status; `limit` is from 1 to 200 (default: 50).",
    refuses: true,
    seen: done("orgs.list"),
  },
  "D-v2-tree": {
    text: "The tree is an array of MSPs in order of creation, each with its customers.",
    seen: done("orgs.tree"),
  },
  "D-v2-delete": {
    text: "DELETE /organizations/{id} returns 200 and an empty object. Deleting a customer frees its license; deleting an MSP deletes its licenses. The API keys of a deleted organization stop working.",
    seen: done("orgs.delete"),
  },
  "D-v2-usage": {
    text: "GET /usage accepts `from` and `to` (inclusive dates, at most 92 days) and returns one record for each organization and day with calls.",
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
    text: "A billing summary lists the organization itself first, then its customers in order of creation. A customer's summary has no licenses because customers own none.",
    seen: done("billing.get"),
  },
  "D-v2-permissions":
    "v2's permissions are organizations:read, organizations:write, organizations:delete, licenses:write, usage:read and billing:read.",
  "D-link":
    "An organization created through v2 also works in the Public API, with keys, assistants and calls. Blocking the organization blocks its keys.",
  "D-v1-paths": {
    text: "v1 has the paths /partners, /partners/{id}/customers, /partners/{id}/billing, /customers/{id}, /customers/{id}/plan and /customers/{id}/usage. The IDs in these paths are external IDs.",
    seen: (seen) => seen.api === "distributor-v1" && seen.operation !== undefined,
  },
  "D-v1-partner": {
    text: "Creating a partner creates its internal MSP organization. A partner can be deleted only after all its organizations are deleted; its internal organization must be deleted through v2. A partner without organizations is not active.",
    refuses: true,
    seen: done(["partners.create", "partners.get", "partners.delete"]),
  },
  "D-v1-shared":
    "v1 and v2 show the same organizations: an MSP in v2 is a partner in v1, and the MSP's customers are the partner's customers. Renaming a partner or customer in v1 also renames it in v2. If the MSP of a partner that was created through v1 is deleted, the partner remains; it has no organizationId until an MSP with its external ID is created. A partner stays active while its MSP is blocked. In v1's usage, an MSP's own calls have no customer.",
  "D-v1-link": {
    text: "An organization that was created through v1 has no license. Its externalOrganizationId is the external ID of the partner or customer. If any of the distributor's organizations already has this ID, creating a partner or customer with the ID returns v1's DUPLICATE error.",
    seen: done(["partners.create", "customers.create"]),
  },
  "D-v1-customer": {
    text: "A customer has an externalCustomerId, an externalPartnerId, an organizationId, a name, a plan, a status and createdAt.",
    refuses: true,
    seen: done(["customers.create", "customers.get"]),
  },
  "D-v1-plan": {
    text: "The plans are `starter`, `business` and `enterprise`. Requesting a partner's billing returns 404 PLAN_NOT_FOUND if none of its customers has a plan.",
    refuses: true,
    seen: done("customers.plan"),
  },
  "D-v1-id": "A path with an invalid external ID returns 400 INVALID_ID. /health requires no key.",
  "D-v1-usage": {
    text: "v1 has the same success envelope as v2. Usage has one record for each customer and day; billing lists the customers that have a plan.",
    seen: done(["partners.usage", "partners.billing"]),
  },
  "D-v1-permissions":
    "v1's permissions are usage:read, billing:read, and the permissions to read, write and delete partners and customers, such as partners:read.",
  "D-legacy-error": {
    text: "A legacy error has the status `error`, a code and a message.",
    seen: (seen) => seen.api === "legacy" && seen.status >= 400,
  },
  "D-legacy-limit": {
    text: "The legacy API allows each key 60 requests per minute. A call during the cooldown returns RATE_LIMIT_EXCEEDED with Retry-After. A call to a blocked number returns CALL_FAILED. If the organization is blocked or lacks the required feature, requests return 402. Roles are not checked.",
    refuses: true,
  },
  "D-legacy-health": {
    text: "GET /api/v1/health returns the status `ok`, version and timestamp; it requires a valid key.",
    seen: done("legacy.health"),
  },
  "D-legacy-words":
    "Words in `details` are separated by white space; sending more than 1,000 words returns 400.",
};
