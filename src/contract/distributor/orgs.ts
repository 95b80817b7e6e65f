import * as z from "zod";
import { assumed, ruled } from "../assumed.js";
import { exampleIds, exampleTime, setExample } from "../examples.js";
import { defineOperations } from "../operation.js";
import { ObjectId, Timestamp } from "../primitives.js";
import { distributorPage, ExternalId, OrganizationName } from "./primitives.js";

const organizationTypes = ["msp", "customer"] as const;
const OrganizationType = assumed(
  "D-v2-create",
  z.enum(organizationTypes, "must be msp or customer"),
  z.string(),
);

/** D-v2-org */
const organization = {
  id: ObjectId,
  type: z.enum(organizationTypes),
  name: assumed("D-v2-org", z.string()),
  parentOrganizationId: z.nullable(ObjectId),
  externalOrganizationId: z.string(),
  externalLicenseId: z.nullable(z.string()),
  status: z.enum(["active", "blocked"]),
  blockedReason: z.nullable(z.string()),
  createdAt: assumed("D-v2-org", Timestamp),
  updatedAt: assumed("D-v2-org", Timestamp),
};
export const Organization = z.object(organization);

const OrganizationTree = z.object({ ...organization, customers: z.array(Organization) });

const MspCreate = ruled(
  "v2.create",
  z.strictObject({
    type: z.literal("msp"),
    name: OrganizationName,
    externalOrganizationId: ExternalId,
    // An MSP is created together with its purchased license (v2.create.msp).
    license: ruled(
      "v2.create.msp",
      z.strictObject({ externalLicenseId: ExternalId, product: OrganizationName.optional() }),
    ),
  }),
);
const CustomerCreate = ruled(
  "v2.create",
  z.strictObject({
    type: z.literal("customer"),
    name: OrganizationName,
    parentOrganizationId: ObjectId,
    externalOrganizationId: ExternalId,
    // v2.create.customer
    externalLicenseId: ExternalId,
  }),
);
/** D-v2-create */
const OrganizationCreate = assumed(
  "D-v2-create",
  z.discriminatedUnion("type", [MspCreate, CustomerCreate], "must be msp or customer"),
  z.looseObject({ externalOrganizationId: z.string("must be an identifier").min(1, "must not be empty") }),
);

const msp: z.input<typeof Organization> = {
  id: exampleIds.organizationId,
  type: "msp",
  name: "Elbe Systemhaus",
  parentOrganizationId: null,
  externalOrganizationId: "elbe",
  externalLicenseId: "elbe-base",
  status: "active",
  blockedReason: null,
  createdAt: exampleTime,
  updatedAt: exampleTime,
};
const customer: z.input<typeof Organization> = {
  ...msp,
  id: exampleIds.customerOrganizationId,
  type: "customer",
  name: "Optik Lange",
  parentOrganizationId: exampleIds.organizationId,
  externalOrganizationId: "optik-lange",
  externalLicenseId: "elbe-001",
};
setExample(Organization, customer);
setExample(OrganizationTree, { ...msp, customers: [customer] });
setExample(OrganizationCreate, {
  type: "customer",
  name: "Optik Lange",
  parentOrganizationId: exampleIds.organizationId,
  externalOrganizationId: "optik-lange",
  externalLicenseId: "elbe-001",
});

export const orgs = defineOperations(
  { api: "distributor-v2", about: "MSPs and their customers.", area: "organizations" }, // D-v2-permissions
  {
    "orgs.list": {
      method: "GET",
      path: "/organizations",
      summary: "List organizations",
      query: distributorPage({
        type: OrganizationType.optional(),
        parentOrganizationId: ObjectId.optional(),
        externalOrganizationId: ExternalId.optional(),
        status: assumed("D-v2-list", z.enum(["active", "blocked"], "must be active or blocked")).optional(),
      }),
      responseShape: "page",
      response: Organization,
    },
    "orgs.create": {
      method: "POST",
      path: "/organizations",
      summary: "Create an MSP or a customer",
      body: OrganizationCreate,
      responseShape: "item",
      response: Organization,
      errors: [404, 409],
    },
    "orgs.tree": {
      method: "GET",
      path: "/organizations/tree",
      summary: "Show all MSPs with their customers",
      responseShape: "list",
      response: OrganizationTree,
    },
    "orgs.delete": {
      method: "DELETE",
      path: "/organizations/{organizationId}",
      pathAssumed: "D-v2-delete",
      summary: "Delete an organization and release its license",
      responseShape: "empty",
      errors: [409],
    },
  },
);

export type Organization = z.output<typeof Organization>;
export type OrganizationTree = z.output<typeof OrganizationTree>;
