import type { Row } from "./table.js";

// Documented fields | fields by decision (D-v2-org)
const organization =
  "type parentOrganizationId externalOrganizationId externalLicenseId status blockedReason | id name createdAt updatedAt";
// Documented fields | fields by decision (D-v2-licenses)
const license = "status | externalLicenseId product ownerOrganizationId assignedOrganizationId";
// Documented fields | fields by decision (D-v1-partner, D-v1-customer)
const partner = "externalPartnerId | name status organizationId createdAt";
const customer = "externalCustomerId externalPartnerId | organizationId name plan status createdAt";

/**
 * Endpoints of the distributor APIs, from the service's document and the decisions D-v2-…. The document lists no
 * errors per operation, so `also` lists all of them.
 */
// biome-ignore format: a line per operation, as the documents have it
export const distributorV2Rows: readonly Row[] = [
  { operation: "orgs.create", request: "POST /organizations", body: "type! externalOrganizationId! parentOrganizationId externalLicenseId | name! license", success: 201, responseType: "item", also: [400, 404, 409], response: organization },
  { operation: "orgs.list", request: "GET /organizations", query: "| type parentOrganizationId externalOrganizationId status limit cursor", success: 200, responseType: "page", also: [400], response: organization },
  { operation: "orgs.tree", request: "GET /organizations/tree", success: 200, responseType: "list", also: [], response: `${organization} customers` },
  { operation: "orgs.delete", request: "DELETE /organizations/{organizationId}", success: 200, responseType: "empty", also: [400, 404, 409] },
  { operation: "licenses.upsert", request: "PATCH /organizations/{organizationId}/licenses", body: "| licenses!", success: 200, responseType: "list", also: [400, 404, 409], response: license },
  { operation: "licenses.reassign", request: "PATCH /organizations/{organizationId}/license", body: "| externalLicenseId!", success: 200, responseType: "item", also: [400, 404, 409], response: organization },
  { operation: "usage.list", request: "GET /usage", query: "| from! to! organizationId limit cursor", success: 200, responseType: "page", also: [400, 404], response: "| organizationId externalOrganizationId date calls durationSeconds billableSeconds" },
  { operation: "billing.get", request: "GET /organizations/{organizationId}/billing-summary", query: "| month", success: 200, responseType: "item", also: [400, 404], response: "| organizationId month licenses totals organizations" },
];

/** Endpoints of distributor API v1: `/health`, and the paths of D-v1-paths. */
// biome-ignore format: a line per operation, as the documents have it
export const distributorV1Rows: readonly Row[] = [
  { operation: "distributor.health", request: "GET /health", success: 200, responseType: "bare", also: [], response: "| status version timestamp" },
  { operation: "partners.list", request: "GET /partners", query: "| limit cursor", success: 200, responseType: "page", also: [400], response: partner },
  { operation: "partners.create", request: "POST /partners", body: "externalPartnerId! | name!", success: 201, responseType: "item", also: [400, 409], response: partner },
  { operation: "partners.get", request: "GET /partners/{externalPartnerId}", success: 200, responseType: "item", also: [400, 404], response: partner },
  { operation: "partners.update", request: "PATCH /partners/{externalPartnerId}", body: "| name", success: 200, responseType: "item", also: [400, 404], response: partner },
  { operation: "partners.delete", request: "DELETE /partners/{externalPartnerId}", success: 200, responseType: "empty", also: [400, 404, 409] },
  { operation: "customers.list", request: "GET /partners/{externalPartnerId}/customers", query: "| limit cursor", success: 200, responseType: "page", also: [400, 404], response: customer },
  { operation: "customers.create", request: "POST /partners/{externalPartnerId}/customers", body: "externalCustomerId! | name! plan", success: 201, responseType: "item", also: [400, 404, 409], response: customer },
  { operation: "customers.get", request: "GET /customers/{externalCustomerId}", success: 200, responseType: "item", also: [400, 404], response: customer },
  { operation: "customers.delete", request: "DELETE /customers/{externalCustomerId}", success: 200, responseType: "empty", also: [400, 404] },
  { operation: "customers.plan", request: "PUT /customers/{externalCustomerId}/plan", body: "| plan!", success: 200, responseType: "item", also: [400, 404], response: customer },
  { operation: "partners.usage", request: "GET /usage", query: "| from! to! externalPartnerId limit cursor", success: 200, responseType: "page", also: [400, 404], response: "| externalPartnerId externalCustomerId organizationId date calls durationSeconds billableSeconds" },
  { operation: "partners.billing", request: "GET /partners/{externalPartnerId}/billing", query: "| month", success: 200, responseType: "item", also: [400, 404], response: "| externalPartnerId month totals customers" },
];

/** Endpoints of the legacy API. The documents specify all fields. Paths start at the host's root. */
// biome-ignore format: a line per operation, as the documents have it
export const legacyRows: readonly Row[] = [
  { operation: "legacy.call", request: "POST /api/v1/outbound/call", body: "assistantPhoneNumber! targetPhoneNumber! details", success: 200, responseType: "item", also: [400], response: "callId assistantPhoneNumber targetPhoneNumber timestamp" },
  { operation: "legacy.health", request: "GET /api/v1/health", success: 200, responseType: "bare", also: [], response: "status version timestamp" },
];
