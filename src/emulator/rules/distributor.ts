import { at, done, isDistributor, succeeded } from "./evidence.js";
import type { Rules } from "./rule.js";

export const distributorRules: Rules = {
  "v2.create": {
    text: "POST /organizations creates MSPs and customers; each requires an externalOrganizationId.",
    refuses: true,
    seen: done("orgs.create"),
  },
  "v2.create.msp": {
    text: "A request that creates an MSP must contain the `license` that was purchased for the MSP. The license is created together with the MSP.",
    refuses: true,
    refusedAs: ["v2.create", "D-v2-create"],
    seen: done("orgs.create", (seen) => at(seen.request, "type") === "msp"),
  },
  "v2.create.customer": {
    text: "Creating a customer requires an `available` license of its MSP, specified by externalLicenseId, and assigns that license to the customer.",
    refuses: true,
    refusedAs: ["v2.create"],
    seen: done("orgs.create", (seen) => at(seen.request, "type") === "customer"),
    atOnce: true,
  },
  "v2.duplicate": {
    text: "Creating an organization with a duplicate externalOrganizationId returns 409.",
    refuses: true,
  },
  "v2.license.states": {
    text: "A license is `available`, `assigned` or `disabled`; `assigned` means that exactly one organization has it.",
    seen: done("licenses.upsert"),
    atOnce: true,
  },
  "v2.license.reassign": {
    text: "Assigning a different license to an organization frees its previous license.",
    refusedAs: ["D-v2-reassign", "D-v2-org"],
    seen: done("licenses.reassign"),
    atOnce: true,
  },
  "v2.license.delete": {
    text: "Deleting a customer frees its license.",
    seen: done("orgs.delete"),
    atOnce: true,
  },
  "v2.license.disable": {
    text: "Disabling a license blocks the organization that has the license: the organization's status becomes `blocked`, and its blockedReason becomes `license_disabled`.",
    refusedAs: ["D-features"],
    seen: done("licenses.upsert", (seen) => JSON.stringify(seen.request).includes('"status":"disabled"')),
  },
  "v2.delete.msp": {
    text: "Deleting an MSP that has customers returns 409 ORGANIZATION_HAS_CHILDREN.",
    refuses: true,
  },
  "v2.list": { text: "GET /organizations lists the distributor's organizations.", seen: done("orgs.list") },
  "v2.tree": {
    text: "GET /organizations/tree returns the MSPs, each with its customers, without usage.",
    seen: done("orgs.tree"),
  },
  "v2.licenses.upsert": {
    text: "PATCH /organizations/{id}/licenses creates and changes an MSP's licenses.",
    refusedAs: ["D-v2-licenses", "D-v2-create"],
    seen: done("licenses.upsert"),
  },
  "v2.usage": {
    text: "GET /usage returns call usage.",
    refusedAs: ["v1.errors.range", "D-v2-usage"],
    seen: done("usage.list"),
  },
  "v2.billing": {
    text: "GET /organizations/{id}/billing-summary returns the items to bill.",
    refusedAs: ["D-v2-billing"],
    seen: done("billing.get"),
  },
  "dist.auth.missing": {
    text: "Requests without a bearer key return 401 MISSING_API_KEY; requests with an unknown key return 401 INVALID_API_KEY.",
    refuses: true,
  },
  "dist.auth.expired": {
    text: "Requests with an expired key return 401 API_KEY_EXPIRED. By default, a key expires 365 days after it was created.",
    refuses: true,
  },
  "dist.auth.version": {
    text: "Requests with a key for a different API version return 403 API_VERSION_NOT_ALLOWED.",
    refuses: true,
  },
  "dist.auth.permission": {
    text: "Requests with a key that lacks the required permission return 403 MISSING_PERMISSION.",
    refuses: true,
  },
  "dist.limits.1": {
    text: "Each key has one bucket of 60 requests per minute for all authenticated endpoints; the limit can be set per key. /health is unlimited.",
    refusedAs: ["dist.limits.4"],
    seen: (seen) => isDistributor(seen) && succeeded(seen) && seen.operation !== "distributor.health",
  },
  "dist.limits.2": {
    text: "Even before the bucket is used up, responses to authenticated requests have Retry-After (the remaining time of the window) and X-RateLimit-Reset (the end of the window, in Unix seconds).",
    seen: (seen) => isDistributor(seen) && succeeded(seen) && seen.operation !== "distributor.health",
  },
  "dist.limits.3": {
    text: "If the limiter can't be reached, the response is 503 RATE_LIMIT_UNAVAILABLE.",
    refuses: true,
  },
  "dist.limits.4": {
    text: "If the bucket is used up, the response is 429 RATE_LIMITED with Retry-After.",
    refuses: true,
  },
  "v1.errors.flat": {
    text: "An error is a flat object with the status `error`, an errorCode and a message.",
    seen: (seen) => seen.api === "distributor-v1" && seen.status >= 400,
  },
  "v1.errors.validation": {
    text: "An invalid body or parameter returns 400 VALIDATION_ERROR.",
    refuses: true,
    refusedAs: ["D-body", "D-strict", "D-v1-partner"],
  },
  "v1.errors.id": { text: "A malformed identifier returns 400 INVALID_ID.", refuses: true },
  "v1.errors.range": {
    text: "An invalid date range returns 400 INVALID_DATE_RANGE; a date range that is too long returns 400 DATE_RANGE_TOO_LARGE.",
    refuses: true,
  },
  "v1.errors.not-found": {
    text: "Requesting a resource outside the distributor's scope returns 404 NOT_FOUND.",
    refuses: true,
  },
  "v1.partner.duplicate": {
    text: "Creating a partner with a duplicate externalPartnerId returns 409 DUPLICATE_EXTERNAL_PARTNER_ID.",
    refuses: true,
  },
  "v1.customer.duplicate": {
    text: "Creating a customer with a duplicate externalCustomerId returns 409 DUPLICATE_EXTERNAL_CUSTOMER_ID.",
    refuses: true,
  },
  "v1.partner.not-found": {
    text: "If the partner is not active or not in scope, the response is 404 PARTNER_NOT_FOUND.",
    refuses: true,
  },
  "v1.partner.delete": {
    text: "Deleting a partner that still has organizations, including its internal MSP, returns 409 PARTNER_HAS_ORGANIZATIONS. Deletions don't cascade.",
    refuses: true,
  },
  "v1.plan": {
    text: "Setting an unknown plan returns 400 INVALID_PLAN; requesting the billing of a partner without a subscription returns 404 PLAN_NOT_FOUND.",
    refuses: true,
  },
  "v1.org-creation": {
    text: "If a partner's internal organization can't be provisioned, the response is 500 ORG_CREATION_FAILED.",
    refuses: true,
  },
  "v1.health": { text: "GET /health has no rate limit.", seen: done("distributor.health") },
  "v1.parallel": "v1 and v2 are both available and show the same organizations.",
};
