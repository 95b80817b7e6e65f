import * as z from "zod";
import { assumed } from "../assumed.js";
import { exampleIds, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { ObjectId } from "../primitives.js";
import { Organization } from "./orgs.js";
import { ExternalId, OrganizationName } from "./primitives.js";

/** v2.license.states, D-v2-licenses */
const License = z.object({
  externalLicenseId: z.string(),
  product: z.nullable(z.string()),
  status: z.enum(["available", "assigned", "disabled"]),
  ownerOrganizationId: ObjectId,
  assignedOrganizationId: z.nullable(ObjectId),
});

/** D-v2-licenses */
const LicensesUpsert = assumed(
  "D-v2-licenses",
  z.strictObject({
    licenses: z.array(
      z.strictObject({
        externalLicenseId: ExternalId,
        product: OrganizationName.optional(),
        status: z.enum(["available", "disabled"], "must be available or disabled").optional(),
      }),
      "must be a list of licenses",
    ),
  }),
);

/** D-v2-reassign */
const LicenseReassign = assumed("D-v2-reassign", z.strictObject({ externalLicenseId: ExternalId }));

setExample(License, {
  externalLicenseId: "elbe-001",
  product: "Standard",
  status: "assigned",
  ownerOrganizationId: exampleIds.organizationId,
  assignedOrganizationId: exampleIds.customerOrganizationId,
});
setExample(LicensesUpsert, {
  licenses: [
    { externalLicenseId: "elbe-001", product: "Standard" },
    { externalLicenseId: "elbe-002", status: "disabled" },
  ],
});
setExample(LicenseReassign, { externalLicenseId: "elbe-003" });

export const licenses = defineOperations(
  {
    api: "distributor-v2",
    about: "MSPs' licenses. Each license is for one organization.",
    area: "licenses",
  },
  {
    "licenses.upsert": {
      method: "PATCH",
      path: "/organizations/{organizationId}/licenses",
      summary: "Add or change an MSP's licenses",
      body: LicensesUpsert,
      responseShape: "list",
      response: License,
      errors: [409],
    },
    "licenses.reassign": {
      method: "PATCH",
      path: "/organizations/{organizationId}/license",
      summary: "Assign a different license to an organization",
      body: LicenseReassign,
      responseShape: "item",
      response: Organization,
      errors: [409],
    },
  },
);

export type License = z.output<typeof License>;
