import type { RuleTexts } from "./rule.js";

/** The documents' rules about the distributor APIs. */
export const distributorRules: RuleTexts = {
  "v2.create":
    "POST /organizations creates MSPs and customers alike; each must bring an externalOrganizationId.",
  "v2.create.msp": "An MSP is created together with the license that was bought for it.",
  "v2.create.customer":
    "A customer needs an available license that its MSP owns, named by externalLicenseId, and is tied to it.",
  "v2.duplicate": "An externalOrganizationId that is taken already answers 409.",
  "v2.license.states":
    "A license is available, assigned or disabled; assigned means that exactly one organization holds it.",
  "v2.license.reassign": "Giving an organization another license frees the one it had.",
  "v2.license.delete": "Deleting a customer frees its license.",
  "v2.license.disable":
    "Disabling a license blocks the organization that holds it: status blocked, blockedReason license_disabled.",
  "v2.delete.msp": "An MSP that still has customers can't be deleted: 409 ORGANIZATION_HAS_CHILDREN.",
  "v2.list": "GET /organizations lists the distributor's organizations.",
  "v2.tree": "GET /organizations/tree shows the MSPs, each with its customers, without usage.",
  "v2.licenses.upsert": "PATCH /organizations/{id}/licenses creates and changes the licenses of an MSP.",
  "v2.usage": "GET /usage shows what was used.",
  "v2.billing": "GET /organizations/{id}/billing-summary shows what is to be billed.",
  "dist.auth.missing": "Without a bearer key: 401 MISSING_API_KEY; with an unknown one: 401 INVALID_API_KEY.",
  "dist.auth.expired":
    "A key past its expiry (365 days after it was made, unless told otherwise) answers 401 API_KEY_EXPIRED.",
  "dist.auth.version": "A key that is not for this version of the API answers 403 API_VERSION_NOT_ALLOWED.",
  "dist.auth.permission": "A key without the permission that is needed answers 403 MISSING_PERMISSION.",
  "dist.limits.1":
    "A key has one bucket of 60 requests a minute for all authenticated endpoints, which can be set per key; /health is unlimited.",
  "dist.limits.2":
    "Authenticated answers carry Retry-After even before the bucket is used up, and X-RateLimit-Reset as the same moment in Unix seconds.",
  "dist.limits.3": "When the limiter can't be reached: 503 RATE_LIMIT_UNAVAILABLE.",
  "dist.limits.4": "When the bucket is used up: 429 RATE_LIMITED with Retry-After.",
  "v1.errors.flat": "Errors are one flat object of status error, errorCode and message.",
  "v1.errors.validation": "A wrong body or wrong parameters answer 400 VALIDATION_ERROR.",
  "v1.errors.id": "An identifier of the wrong form answers 400 INVALID_ID.",
  "v1.errors.range":
    "A wrong date window answers 400 INVALID_DATE_RANGE, one that is too long 400 DATE_RANGE_TOO_LARGE.",
  "v1.errors.not-found": "What is not within this distributor's scope answers 404 NOT_FOUND.",
  "v1.partner.duplicate":
    "An externalPartnerId that is taken already answers 409 DUPLICATE_EXTERNAL_PARTNER_ID.",
  "v1.customer.duplicate":
    "An externalCustomerId that is taken already answers 409 DUPLICATE_EXTERNAL_CUSTOMER_ID.",
  "v1.partner.not-found": "Where no active partner is in scope, the answer is 404 PARTNER_NOT_FOUND.",
  "v1.partner.delete":
    "A partner with organizations, its internal MSP among them, can't be deleted: 409 PARTNER_HAS_ORGANIZATIONS. Nothing cascades.",
  "v1.plan":
    "A plan that is none answers 400 INVALID_PLAN; billing without a subscription 404 PLAN_NOT_FOUND.",
  "v1.org-creation":
    "When a partner's internal organization can't be provisioned, the answer is 500 ORG_CREATION_FAILED.",
  "v1.health": "/health is there and is not limited.",
  "v1.parallel": "v1 and v2 stand side by side and show the same organizations.",
};
