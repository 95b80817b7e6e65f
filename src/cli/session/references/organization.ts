import { sentOrganizationId } from "../../../client/ids.js";
import type { Referable } from "./references.js";

/** An organization, specified by its external ID or a unique name. */
export const organization: Referable = {
  list: "orgs.list",
  noun: "organization",
  label: "externalOrganizationId",
  otherLabel: "name",
  given: "external ID, name or ID",
  search: "search",
  distinction: "type",
  idOf: sentOrganizationId,
};

/** An MSP, specified by its external ID or a unique name. */
export const msp: Referable = { ...organization, noun: "MSP", where: { type: "msp" } };
